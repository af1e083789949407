// A chain of 54 blocks that lies beside the repository, from Homestead to the blob forks after Osaka, executed from its genesis; and what a
// node answered on it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { bytesToHex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { splitRlp } from '../../src/chain/bytes/rlp.ts'
import { type Block, decodeBlock } from '../../src/chain/codec/block.ts'
import { type Header, headerHash } from '../../src/chain/codec/header.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../../src/chain/codec/receipt.ts'
import { type RecoveredTransaction, recoverTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { blobBaseFee } from '../../src/chain/rules/blob-fee.ts'
import { type ForkSchedule, rulesBySchedule } from '../../src/chain/rules/forks.ts'
import { scheduleFromGenesis } from '../../src/chain/rules/genesis.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import { StateTrie } from '../../src/evm/state/state-trie.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { type StructLog, StructLogger } from '../../src/evm/tracers/struct-logger.ts'
import { beginBlock, endBlock, requestsHash } from '../../src/evm/transaction/block.ts'
import type { ExecutionResult } from '../../src/evm/transaction/execution.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'

const FIXTURES = new URL('../../../shared/fixtures/execution-apis/', import.meta.url)

export const isRecorded = existsSync(FIXTURES)
if (!isRecorded) console.log('no recorded chain beside the repository: nothing is executed from it')

// biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are methods
export type Exchange = { readonly name: string; readonly params: any; readonly result?: any; readonly error?: any }

/** What the node was asked, and what it answered. */
export function exchangesOf(method: string): Exchange[] {
  return readdirSync(new URL(method, FIXTURES)).flatMap((name) => {
    const lines = readFileSync(new URL(`${method}/${name}`, FIXTURES), 'utf8').split('\n')
    const [asked, answered] = ['>> ', '<< '].map((mark) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => JSON.parse(line.slice(3))),
    )
    return asked!.map(({ params }, at) => ({ name, params, result: answered![at].result, error: answered![at].error }))
  })
}

export type Outcome = Pick<Header, 'stateRoot' | 'receiptsRoot' | 'gasUsed' | 'blobGasUsed' | 'requestsHash'> & {
  bloom: string
}

export function executeChain() {
  const genesis = JSON.parse(readFileSync(new URL('genesis.json', FIXTURES), 'utf8'))
  const schedule = scheduleFromGenesis(genesis.config)
  const state = genesisState(genesis.alloc)
  const trie = new StateTrie()
  trie.apply({ accounts: state.accounts, wiped: new Set(), slots: state.slots, codes: state.codes })
  const blocks = splitRlp(readFileSync(new URL('chain.rlp', FIXTURES))).map(decodeBlock)
  const chain = blocks.map((block) => {
    const env = envOf(schedule, BigInt(genesis.config.chainId), block.header)
    const executed = executeBlock(state, trie, env, block)
    state.blockHashes.set(block.header.number, BigInt(headerHash(block.header)))
    return { header: block.header, ...executed }
  })
  const { header } = blocks.at(-1)!
  return { chain, state, trie, head: { header, env: envOf(schedule, BigInt(genesis.config.chainId), header) } }
}

type Alloc = Record<string, { balance: string; nonce?: string; code?: string; storage?: Record<string, string> }>

function genesisState(alloc: Alloc): MemoryState {
  return new MemoryState(
    Object.entries(alloc).map(([address, { balance, nonce = '0x0', code = '0x', storage = {} }]) => [
      BigInt(`0x${address}`),
      {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        code: hexToBytes(code),
        storage: Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
      },
    ]),
  )
}

function envOf(schedule: ForkSchedule, chainId: bigint, header: Header): BlockEnv {
  const rules = rulesBySchedule(schedule)(header)
  return {
    chainId,
    rules,
    number: header.number,
    timestamp: header.timestamp,
    gasLimit: header.gasLimit,
    coinbase: header.miner,
    baseFee: header.baseFeePerGas ?? 0n,
    blobBaseFee: rules.blobs === null ? 0n : blobBaseFee(header.excessBlobGas ?? 0n, rules.blobs),
    prevRandao: rules.paris ? BigInt(header.mixHash) : header.difficulty,
  }
}

function executeBlock(state: MemoryState, trie: StateTrie, env: BlockEnv, { header, ...block }: Block) {
  const world = new WorldState(state)
  const settle = () => {
    const changes = world.takeChanges()
    state.apply(changes)
    trie.apply(changes)
  }
  const parentBeaconRoot = header.parentBeaconBlockRoot === undefined ? null : BigInt(header.parentBeaconBlockRoot)
  beginBlock(world, env, { parentHash: BigInt(header.parentHash), parentBeaconRoot })

  let gasUsed = 0n
  let blobGasUsed = 0n
  const receipts: Receipt[] = []
  const traces: { hash: string; structLogs: readonly StructLog[] }[] = []
  for (const recovered of block.transactions.map(recoverTransaction)) {
    const tracer = new StructLogger()
    const execution = executeTransaction(world, env, recovered, { gasUsedBefore: gasUsed, tracer })
    if (execution.type === 'refused') throw new Error(`block ${header.number} ${recovered.hash}: ${execution.message}`)
    settle()
    gasUsed += execution.gasUsed
    blobGasUsed += execution.blobGasUsed
    receipts.push(receiptOf(env, recovered, execution, gasUsed, trie))
    traces.push({ hash: recovered.hash, structLogs: tracer.structLogs })
  }

  const logs = receipts.flatMap((receipt) => receipt.logs)
  const requests = endBlock(world, env, { withdrawals: block.withdrawals ?? [], logs, depositContract: 0n })
  if (!env.rules.paris) payRewards(world, env, header, block.uncles)
  settle()
  const outcome: Outcome = {
    stateRoot: bytesToHex(trie.root),
    receiptsRoot: receiptsRoot(receipts),
    bloom: bytesToHex(createReceipt({ type: 0, status: 1, cumulativeGasUsed: 0n, logs }).logsBloom),
    gasUsed,
    ...(env.rules.cancun ? { blobGasUsed } : {}),
    ...(env.rules.prague ? { requestsHash: requestsHash(requests) } : {}),
  }
  return { outcome, traces }
}

function receiptOf(
  { rules }: BlockEnv,
  { transaction }: RecoveredTransaction,
  { succeeded, logs }: ExecutionResult,
  cumulativeGasUsed: bigint,
  trie: StateTrie,
): Receipt {
  const receipt = { type: transaction.type, cumulativeGasUsed, logs }
  if (rules.byzantium) return createReceipt({ ...receipt, status: succeeded ? 1 : 0 })
  return createReceipt({ ...receipt, status: null, root: bytesToHex(trie.root) })
}

/** Proof of work: the miner's reward, a thirty-second of it for each uncle, and the uncles' own. */
function payRewards(world: WorldState, { rules }: BlockEnv, header: Header, uncles: readonly Header[]): void {
  const ether = 10n ** 18n
  const reward = (rules.constantinople ? 2n : rules.byzantium ? 3n : 5n) * ether
  const credit = (address: bigint, amount: bigint) => {
    const record = world.record(address)
    world.setBalance(record, record.balance + amount)
  }
  world.beginTransaction()
  for (const uncle of uncles) credit(uncle.miner, (BigInt(uncle.number + 8 - header.number) * reward) / 8n)
  credit(header.miner, reward + (reward / 32n) * BigInt(uncles.length))
  world.endTransaction()
}
