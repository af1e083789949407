// What E1 must say of a token, worked out from the node's own words. Nothing is compared with contracts, and no market is known.
import { formatUnits } from 'viem'
import type { Hex, NodeFacts, TokenFact } from './node-facts.ts'

export function createTokenRecord(facts: NodeFacts) {
  return (token: TokenFact) => ({
    tokenFullName: token.name,
    token: token.symbol,
    precision: String(token.decimals),
    tokenContractAddress: token.address,
    protocolType: `token_${token.kind}`,
    addressCount: String(token.holders.size),
    totalSupply: token.supply === undefined ? '' : formatUnits(token.supply, token.decimals),
    issueDate: issueDateOf(facts, token.address),
    circulatingSupply: '',
    price: '',
    website: '',
    totalMarketCap: '',
    transactionAmount24h: '',
    tvl: '',
    logoUrl: '',
    balanceSource: 'unconfirmed',
    balanceHeight: '',
  })
}

/** Of the creating block, which is the genesis where no transaction created it. */
function issueDateOf({ blocks, transactions, internals }: NodeFacts, address: Hex): string {
  const creation =
    transactions.find(({ receipt }) => receipt.contractAddress === address) ??
    internals.find(({ frame, failed }) => !failed && /^CREATE/.test(frame.type) && frame.to === address)?.transaction
  const { raw } = creation?.block ?? blocks[0]!
  return String(Number(raw.timestamp) * 1000)
}
