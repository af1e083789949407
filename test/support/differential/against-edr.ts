// Runs random OP blocks through our engine and through EDR and compares what only a whole state can give: the roots.
import { bytesToHex, type Hex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { createReceipt, receiptsRoot } from '../../../src/chain/codec/receipt.ts'
import { DEPOSIT, SET_CODE } from '../../../src/chain/codec/transaction.ts'
import { StateTrie } from '../../../src/evm/state/state-trie.ts'
import { type EdrModule, edrPredeploys, startEdr } from './edr.ts'
import { blockAt, CHAIN_ID, createRandomChain, executeRandomBlock, type OurBlock } from './random-chain.ts'

export type Roots = {
  readonly number: number
  readonly transactions: number
  readonly stateRoot: Hex
  readonly receiptsRoot: Hex
  readonly gasUsed: Hex
}

export async function rootsOfBoth(
  module: EdrModule,
  seed: number,
  blocks: number,
): Promise<{ ours: Roots[]; theirs: Roots[] }> {
  const chain = createRandomChain(seed, edrPredeploys(module))
  const { gasLimit, timestamp, coinbase } = blockAt(0)
  const edr = await startEdr(module, {
    chainId: CHAIN_ID,
    gasLimit,
    timestamp,
    coinbase,
    allocations: chain.allocations,
  })
  const trie = new StateTrie()
  trie.apply({ ...chain.state, wiped: new Set() })
  const rootsOfLatest = async (): Promise<Roots> => {
    const block = await edr.call<TheirBlock>('eth_getBlockByNumber', 'latest', false)
    chain.state.blockHashes.set(Number(block.number), BigInt(block.hash))
    const { stateRoot, receiptsRoot, gasUsed, transactions } = block
    return { number: Number(block.number), transactions: transactions.length, stateRoot, receiptsRoot, gasUsed }
  }

  const theirs = [await rootsOfLatest()]
  const ours = [rootsOf(0, trie, { executed: [], changes: NO_CHANGES })]
  for (let number = 1; number <= blocks; number++) {
    const block = blockAt(number)
    const executed = executeRandomBlock(chain, block, { without: EDR_REFUSES })
    await edr.call('evm_setNextBlockTimestamp', toQuantity(block.timestamp))
    await edr.call('hardhat_setNextBlockBaseFeePerGas', toQuantity(block.baseFee))
    for (const { recovered } of executed.executed) await edr.call('eth_sendRawTransaction', bytesToHex(recovered.raw))
    await edr.call('evm_mine')
    chain.state.apply(executed.changes)
    trie.apply(executed.changes)
    ours.push(rootsOf(number, trie, executed))
    theirs.push(await rootsOfLatest())
  }
  return { ours, theirs }
}

type TheirBlock = {
  readonly number: Hex
  readonly hash: Hex
  readonly stateRoot: Hex
  readonly receiptsRoot: Hex
  readonly gasUsed: Hex
  readonly transactions: readonly Hex[]
}

/** It takes one deposit of a sender and no second, and on an OP chain no EIP-7702 at all. */
const EDR_REFUSES = [DEPOSIT, SET_CODE] as const

const NO_CHANGES = { accounts: new Map(), wiped: new Set<bigint>(), slots: new Map(), codes: new Map() }

function rootsOf(number: number, trie: StateTrie, { executed }: OurBlock): Roots {
  let cumulativeGasUsed = 0n
  const receipts = executed.map(({ recovered, result }) => {
    cumulativeGasUsed += result.gasUsed
    const { type } = recovered.transaction
    return createReceipt({ type, status: result.succeeded ? 1 : 0, cumulativeGasUsed, logs: result.logs })
  })
  return {
    number,
    transactions: executed.length,
    stateRoot: bytesToHex(trie.root),
    receiptsRoot: receiptsRoot(receipts),
    gasUsed: toQuantity(cumulativeGasUsed),
  }
}
