// What every record of the explorer must say, worked out from the node's facts by the words of the spec and of
// docs/spec-gaps.md; the decimals are viem's.
import { formatEther, formatUnits } from 'viem'
import type {
  BlockFact,
  Hex,
  InternalFact,
  LogFact,
  NodeFacts,
  TokenFact,
  TransactionFact,
  TransferFact,
} from './node-facts.ts'

const SYMBOL = 'ETH'
const BASE_FEE_VAULT: Hex = `0x42${'0'.repeat(36)}19`

export const names = { chainFullName: 'Firstlight Devnet', chainShortName: 'DEV' }

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
function text(hexQuantity: string): string {
  return BigInt(hexQuantity).toString()
}
function isDeposit({ raw }: TransactionFact): boolean {
  return raw.type === '0x7e'
}

/** Nodes outside the OP Stack tell no fees for L1 and the operator. */
export function feeOf(transaction: TransactionFact): bigint {
  if (isDeposit(transaction)) return 0n
  const { gasUsed, effectiveGasPrice, l1Fee = 0, operatorFeeScalar = 0, operatorFeeConstant = 0 } = transaction.receipt
  const scaled = BigInt(gasUsed) * BigInt(operatorFeeScalar)
  // Since Jovian, whose receipts have a footprint, the scalar counts for more.
  const isJovian = transaction.receipt.daFootprintGasScalar !== undefined
  const operatorFee = (isJovian ? scaled * 100n : scaled / 1_000_000n) + BigInt(operatorFeeConstant)
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee) + operatorFee
}

/** Rounded half up at 18 decimals. */
function ratio(dividend: bigint, divisor: bigint): string {
  return divisor === 0n ? '0' : formatEther((dividend * 2n + divisor) / (divisor * 2n))
}

export function createRecords(facts: NodeFacts) {
  // Anvil can follow the rules of the OP Stack without its deposits.
  const isOpStack = facts.transactions.some(isDeposit) || (facts.balances.get(BASE_FEE_VAULT) ?? 0n) > 0n
  const isContract = (address: string): boolean => facts.contracts.has(address as Hex)
  const stage = ({ block: { height } }: TransactionFact): string =>
    height <= facts.finalized ? 'finalized' : height <= facts.safe ? 'safe' : 'included'
  const state = ({ receipt }: TransactionFact): string => (receipt.status === '0x1' ? 'success' : 'fail')
  const methodId = ({ raw }: TransactionFact): string => (raw.input === '0x' ? '' : raw.input.slice(0, 10))
  const timeMs = ({ raw }: Pick<BlockFact, 'raw'>): string =>
    String(Number(raw.timestampMs ?? Number(raw.timestamp) * 1000))
  const place = ({ block }: TransactionFact) => ({
    blockHash: block.raw.hash,
    height: String(block.height),
    transactionTime: timeMs(block),
  })
  const sides = (from: string, to: string | null | undefined) => ({
    from,
    to: to ?? '',
    isFromContract: isContract(from),
    isToContract: to == null || isContract(to),
  })
  const created = (transaction: TransactionFact): string =>
    state(transaction) === 'success' ? (transaction.receipt.contractAddress ?? '') : ''
  const ofTransaction = (transaction: TransactionFact) => ({
    methodId: methodId(transaction),
    ...place(transaction),
    ...sides(transaction.raw.from, transaction.raw.to),
    amount: formatEther(BigInt(transaction.raw.value)),
    state: state(transaction),
    stage: stage(transaction),
    contractAddress: created(transaction),
  })
  const noToken = { tokenId: '', tokenContractAddress: '' }
  const ofLayer1 = { challengeStatus: '', l1OriginHash: '' }
  const token = (address: Hex): TokenFact => facts.tokens.get(address)!

  const block = ({ raw, height, transactions }: BlockFact) => {
    const totalFee = sum(transactions.map(feeOf))
    return {
      hash: raw.hash,
      height: String(height),
      validator: raw.miner,
      blockTime: timeMs({ raw }),
      txnCount: String(transactions.length),
      blockSize: text(raw.size),
      mineReward: '0',
      totalFee: formatEther(totalFee),
      feeSymbol: SYMBOL,
      ommerBlock: '0',
      gasUsed: text(raw.gasUsed),
      gasLimit: text(raw.gasLimit),
      gasAvgPrice: ratio(totalFee, BigInt(raw.gasUsed)),
      state: height <= facts.safe ? 'done' : 'pending',
      // On the OP Stack the base fee goes to a vault.
      burnt: isOpStack ? '0' : formatEther(BigInt(raw.baseFeePerGas ?? 0) * BigInt(raw.gasUsed)),
    }
  }
  const normal = (transaction: TransactionFact) => ({
    txId: transaction.raw.hash,
    ...ofTransaction(transaction),
    symbol: SYMBOL,
    nonce: text(transaction.raw.nonce),
    txFee: formatEther(feeOf(transaction)),
    gasPrice: formatEther(BigInt(transaction.receipt.effectiveGasPrice)),
    gasLimit: text(transaction.raw.gas),
    gasUsed: text(transaction.receipt.gasUsed),
    transactionType: String(Number(transaction.raw.type)),
  })
  const transferOf = (transfer: TransferFact) => ({
    ...place(transfer.transaction),
    ...sides(transfer.from, transfer.to),
    amount: formatUnits(transfer.amount, token(transfer.token).decimals),
    tokenContractAddress: transfer.token,
    tokenId: transfer.tokenId === undefined ? '' : transfer.tokenId.toString(),
  })
  const outcome = (transaction: TransactionFact) => ({
    methodId: methodId(transaction),
    state: state(transaction),
    stage: stage(transaction),
  })
  const internalOf = ({ transaction, frame }: InternalFact) => ({
    ...place(transaction),
    ...sides(frame.from, frame.to),
    // A delegate call moves nothing, whatever value it sees.
    amount: formatEther(frame.type === 'DELEGATECALL' ? 0n : BigInt(frame.value ?? '0x0')),
  })
  const internalListed = (internal: InternalFact) => ({
    ...internalOf(internal),
    methodId: methodId(internal.transaction),
    transactionSymbol: SYMBOL,
    state: internal.failed ? 'fail' : 'success',
    stage: stage(internal.transaction),
    ...noToken,
    contractAddress: /^CREATE/.test(internal.frame.type) ? (internal.frame.to ?? '') : '',
  })

  return {
    blockListItem: (fact: BlockFact) => ({
      ...block(fact),
      avgFee: ratio(sum(fact.transactions.map(feeOf)), BigInt(fact.transactions.length)),
    }),
    blockDetail: (fact: BlockFact) => ({
      ...names,
      ...block(fact),
      amount: formatEther(sum(fact.transactions.map(({ raw }) => BigInt(raw.value)))),
      txnInternal: String(facts.internals.filter(({ transaction }) => transaction.block === fact).length),
      merkleRootHash: fact.raw.transactionsRoot,
      miner: fact.raw.miner,
      difficulty: '0',
      difficuity: '0',
      nonce: '0000000000000000',
      confirm: String(facts.blocks.length - 1 - fact.height),
      tips: formatEther(highestTip(fact)),
      unknownFields: '',
      internalTransactionsComplete: true,
      baseFeePerGas: formatEther(BigInt(fact.raw.baseFeePerGas)),
    }),
    normal,
    latest: (transaction: TransactionFact) => {
      const { from, to, isFromContract, isToContract, ...rest } = ofTransaction(transaction)
      return {
        txid: transaction.raw.hash,
        ...rest,
        input: from,
        output: to,
        isInputContract: isFromContract,
        isOutputContract: isToContract,
        isFromContract,
        isToContract,
        transactionSymbol: SYMBOL,
        txfee: formatEther(feeOf(transaction)),
        transactionType: String(Number(transaction.raw.type)),
      }
    },
    inBlock: (transaction: TransactionFact) => ({
      txid: transaction.raw.hash,
      ...ofTransaction(transaction),
      transactionSymbol: SYMBOL,
      txfee: formatEther(feeOf(transaction)),
      ...noToken,
    }),
    ofAddress: (transaction: TransactionFact) => ({
      txId: transaction.raw.hash,
      ...ofTransaction(transaction),
      transactionSymbol: SYMBOL,
      txFee: formatEther(feeOf(transaction)),
      ...noToken,
      ...ofLayer1,
    }),
    internalInBlock: (internal: InternalFact) => ({
      txid: internal.transaction.raw.hash,
      ...internalListed(internal),
      txfee: formatEther(feeOf(internal.transaction)),
    }),
    internalOfAddress: (internal: InternalFact) => ({
      txId: internal.transaction.raw.hash,
      ...internalListed(internal),
      txFee: formatEther(feeOf(internal.transaction)),
      ...ofLayer1,
    }),
    internalInList: (internal: InternalFact) => ({
      txId: internal.transaction.raw.hash,
      operation: internal.frame.type.toLowerCase(),
      ...internalOf(internal),
      symbol: SYMBOL,
      state: internal.failed ? 'fail' : 'success',
      stage: stage(internal.transaction),
    }),
    internalByHash: (internal: InternalFact) => ({
      txId: internal.transaction.raw.hash,
      operation: internal.frame.type.toLowerCase(),
      ...internalOf(internal),
    }),
    transferByHash: (transfer: TransferFact) => ({
      txId: transfer.transaction.raw.hash,
      ...transferOf(transfer),
      symbol: token(transfer.token).symbol,
    }),
    transferOfToken: (transfer: TransferFact) => ({
      txid: transfer.transaction.raw.hash,
      ...transferOf(transfer),
      ...outcome(transfer.transaction),
      transactionSymbol: token(transfer.token).symbol,
      protocolType: `token_${transfer.kind}`,
    }),
    transferInBlock: (transfer: TransferFact) => ({
      txid: transfer.transaction.raw.hash,
      ...transferOf(transfer),
      ...outcome(transfer.transaction),
      transactionSymbol: token(transfer.token).symbol,
      txfee: formatEther(feeOf(transfer.transaction)),
      contractAddress: '',
    }),
    transferOfAddress: (transfer: TransferFact) => ({
      txId: transfer.transaction.raw.hash,
      ...transferOf(transfer),
      ...outcome(transfer.transaction),
      transactionSymbol: token(transfer.token).symbol,
      txFee: formatEther(feeOf(transfer.transaction)),
      ...ofLayer1,
      contractAddress: '',
    }),
    tokenTransaction: (transfer: TransferFact) => ({
      txId: transfer.transaction.raw.hash,
      ...transferOf(transfer),
      ...outcome(transfer.transaction),
      symbol: token(transfer.token).symbol,
      protocolType: `token_${transfer.kind}`,
    }),
    log: ({ raw, transaction }: LogFact) => ({
      ...place(transaction),
      address: raw.address,
      topics: raw.topics,
      data: raw.data,
      methodId: methodId(transaction),
      logIndex: text(raw.logIndex),
      txId: transaction.raw.hash,
    }),
  }
}

/** What a sender offered for a unit of gas above the base fee, at most. */
function highestTip({ raw, transactions }: BlockFact): bigint {
  return (
    transactions
      .filter((transaction) => !isDeposit(transaction))
      .map(({ raw: { maxPriorityFeePerGas }, receipt }) =>
        maxPriorityFeePerGas === undefined
          ? BigInt(receipt.effectiveGasPrice) - BigInt(raw.baseFeePerGas)
          : BigInt(maxPriorityFeePerGas),
      )
      .sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n
  )
}
