// A recorded chain of 54 blocks, from Homestead to the blob forks after Osaka, executed from its genesis: every root, gas and hash that
// its headers commit to must come out. The recording lies beside the repository; where it does not, the tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { blobBaseFee } from '../chain/blob-fee.ts'
import { type Block, decodeBlock } from '../chain/block.ts'
import { type ForkSchedule, rulesAt } from '../chain/forks.ts'
import { scheduleFromGenesis } from '../chain/genesis-config.ts'
import { type Header, headerHash } from '../chain/header.ts'
import { bytesToHex, hexToBytes } from '../chain/hex.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../chain/receipt.ts'
import { type RecoveredTransaction, recoverTransaction } from '../chain/recovered-transaction.ts'
import { revertReason } from '../chain/revert-reason.ts'
import { splitRlp } from '../chain/rlp.ts'
import { beginBlock, endBlock } from './block.ts'
import { type CallMessage, call } from './call.ts'
import type { ExecutionResult } from './execution.ts'
import type { BlockEnv } from './machine.ts'
import { MemoryState } from './memory-state.ts'
import { requestsHash } from './requests.ts'
import { StateTrie } from './state-trie.ts'
import { type StructLog, StructLogger } from './tracers/struct-logger.ts'
import { executeTransaction } from './transaction.ts'
import { WorldState } from './world-state.ts'

const FIXTURES = new URL('../../../shared/fixtures/execution-apis/', import.meta.url)

const isRecorded = existsSync(FIXTURES)
if (isRecorded) describe('the recorded chain', describeChain)
else {
  console.log('no recorded chain beside the repository: executing it is skipped')
  test.runIf(isRecorded)('the recorded chain', () => {})
}

function describeChain(): void {
  const { chain, state, head } = executeChain()

  test('gives every state root, receipts root, bloom, gas and requests hash', () => {
    expect(chain).toHaveLength(54)
    for (const { header, outcome } of chain) expect({ number: header.number, ...outcome }).toEqual(expectedOf(header))
  })

  test.each(recordedTraces())('gives the operations of $hash as the node logged them', (recorded) => {
    const traced = chain.flatMap(({ traces }) => traces).find(({ hash }) => hash === recorded.hash)!
    const structLogs = traced.structLogs.map(({ storage, ...rest }) =>
      recorded.hasStorage && storage !== undefined ? { ...rest, storage } : rest,
    )
    expect(structLogs).toEqual(recorded.structLogs)
  })

  test.each(recordedCalls())('answers $name as the node did', ({ message, result, error }) => {
    const { output, failure } = call(new WorldState(state), head, message)
    expect(bytesToHex(output)).toBe(result ?? error?.data)
    const reason = revertReason(output)
    expect(failure && (reason === null ? failure.message : `${failure.message}: ${reason}`)).toBe(
      error?.message ?? null,
    )
  })
}

type Answer = { readonly result?: string; readonly error?: { readonly message: string; readonly data: string } }

/** What the node answered to eth_call on its last block. */
function recordedCalls(): (Answer & { readonly name: string; readonly message: CallMessage })[] {
  const folder = new URL('eth_call/', FIXTURES)
  return readdirSync(folder).map((name) => {
    const lines = readFileSync(new URL(name, folder), 'utf8').split('\n')
    const [asked, answered] = ['>> ', '<< '].map((mark) =>
      JSON.parse(lines.find((line) => line.startsWith(mark))!.slice(3)),
    )
    const { from, to, gas, input = '0x' } = asked.params[0]
    const message = { from: BigInt(from), to: BigInt(to), gas: BigInt(gas), data: hexToBytes(input) }
    return { name, message, result: answered.result, error: answered.error }
  })
}

type Outcome = Pick<Header, 'stateRoot' | 'receiptsRoot' | 'gasUsed' | 'blobGasUsed' | 'requestsHash'> & {
  bloom: string
}

const expectedOf = (header: Header): Outcome & { number: number } => ({
  number: header.number,
  stateRoot: header.stateRoot,
  receiptsRoot: header.receiptsRoot,
  bloom: bytesToHex(header.logsBloom),
  gasUsed: header.gasUsed,
  ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: header.blobGasUsed }),
  ...(header.requestsHash === undefined ? {} : { requestsHash: header.requestsHash }),
})

function executeChain() {
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
  return { chain, state, head: envOf(schedule, BigInt(genesis.config.chainId), blocks.at(-1)!.header) }
}

type Alloc = Record<string, { balance: string; nonce?: string; code?: string; storage?: Record<string, string> }>

const genesisState = (alloc: Alloc): MemoryState =>
  new MemoryState(
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

function envOf(schedule: ForkSchedule, chainId: bigint, header: Header): BlockEnv {
  const rules = rulesAt(schedule, header)
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

type RecordedTrace = { readonly hash: string; readonly structLogs: unknown; readonly hasStorage: boolean }

/** What the node answered to debug_trace*, by transaction. */
function recordedTraces(): RecordedTrace[] {
  const files = ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction'].flatMap((method) =>
    readdirSync(new URL(method, FIXTURES)).map((name) => readFileSync(new URL(`${method}/${name}`, FIXTURES), 'utf8')),
  )
  return files.flatMap((text) => {
    const lines = text.split('\n').filter((line) => !line.startsWith('//'))
    const asked = lines.filter((line) => line.startsWith('>> ')).map((line) => JSON.parse(line.slice(3)))
    const answered = lines.filter((line) => line.startsWith('<< ')).map((line) => JSON.parse(line.slice(3)))
    return asked.flatMap(({ params }, index) => tracesOfAnswer(params, answered[index].result))
  })
}

function tracesOfAnswer([of, config]: [string, { disableStorage?: boolean }?], result: unknown): RecordedTrace[] {
  const hasStorage = config?.disableStorage !== true
  if (Array.isArray(result)) {
    return result.map(({ txHash, result: { structLogs } }) => ({ hash: txHash, structLogs, hasStorage }))
  }
  const { structLogs } = (result ?? {}) as { structLogs?: unknown }
  return structLogs === undefined ? [] : [{ hash: of, structLogs, hasStorage }]
}
