// `eth_simulateV1`: blocks that might come next, each with overrides and unsigned calls, on top of a block. Whoever knows the whole state
// gives their state roots; else they are zero, as in the flashblocks of feeds that leave them out.
import { encodeBlock, transactionsRoot } from '../chain/block.ts'
import { unionOfBlooms } from '../chain/bloom.ts'
import { type Header, headerHash } from '../chain/header.ts'
import { type Hex, wordToHex } from '../chain/hex.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../chain/receipt.ts'
import type { RecoveredTransaction } from '../chain/recovered-transaction.ts'
import { FEE_MARKET } from '../chain/transaction.ts'
import { encodeTransaction, transactionHash } from '../chain/transaction-codec.ts'
import type { CallMessage } from './call.ts'
import { type ExecutedMessage, messageSlices } from './execute-message.ts'
import type { BlockEnv } from './machine.ts'
import { overriddenPrecompiles, overriddenState, type StateOverrides } from './overrides.ts'
import { ofAddress, type Refusal, refuse } from './refusal.ts'
import { gasOfBlockExceeded, outOfOrder, refusedInSimulation, tooManyBlocks } from './simulation-refusals.ts'
import type { Slices } from './slices.ts'
import type { StateSource } from './state-source.ts'
import { smaller } from './word.ts'
import { WorldState } from './world-state.ts'

export const MAX_SIMULATED_BLOCKS = 256

export type SimulatedBlock = {
  readonly header: Header
  readonly hash: Hex
  readonly size: number
  readonly calls: readonly SimulatedCall[]
}

export type SimulatedCall = {
  readonly recovered: RecoveredTransaction
  readonly outcome: {
    readonly receipt: Receipt
    readonly gasUsed: bigint
    readonly contractAddress: bigint | null
    readonly firstLogIndex: number
  }
  readonly executed: ExecutedMessage
}

/** What a call says beside its message. */
export type CallTerms = Partial<
  Record<'gas' | 'nonce' | 'maxFeePerGas' | 'maxPriorityFeePerGas', bigint | null | undefined>
>

export type BlockPlan<Call extends CallTerms> = {
  /** One above the block before where it is left out. */
  readonly number?: number | null | undefined
  readonly time?: number | null | undefined
  /** The block's environment with what else is overridden. */
  envOf(env: BlockEnv): BlockEnv
  readonly stateOverrides: StateOverrides
  readonly calls: readonly Call[]
}

export type SimulationStart<Call> = {
  readonly header: Header
  readonly hash: Hex
  readonly env: BlockEnv
  /** Of all blocks together. */
  readonly gasCap: bigint
  /** Of blocks that do not set one: zero lets calls without a price run. */
  readonly baseFee: bigint
  /** Whether calls must keep to the rules of transactions about nonces and prices. */
  readonly isStrict: boolean
  messageOf(call: Call, env: BlockEnv): Required<CallMessage>
  /** After each block in turn, which began on `below` with the overrides. */
  stateRootOf?(world: WorldState, below: StateSource, overrides: StateOverrides): Hex
}

/** `ground` is the state after the block that it starts on. */
export function* simulationSlices<Call extends CallTerms>(
  ground: StateSource,
  start: SimulationStart<Call>,
  plans: readonly BlockPlan<Call>[],
): Slices<SimulatedBlock[]> {
  const hashes = new Map<number, Hex>([[start.header.number, start.hash]])
  const blocks: SimulatedBlock[] = []
  let gasLeft = start.gasCap
  let below: StateSource = withBlockHashes(ground, hashes)
  let parent: { readonly header: Header; readonly hash: Hex } = start
  for (const plan of withGapsFilled(plans, start.header.number)) {
    const env = envAfter(start, parent.header, plan)
    const world = new WorldState(overriddenState(below, plan.stateOverrides))
    const calls = yield* callSlices({ world, env, plan, gasLeft, start })
    const stateRoot = start.stateRootOf?.(world, below, plan.stateOverrides) ?? wordToHex(0n)
    const block = sealed({ parent, env, calls, stateRoot })
    hashes.set(block.header.number, block.hash)
    gasLeft -= block.header.gasUsed
    below = world
    parent = block
    blocks.push(block)
  }
  return blocks
}

/** Heights that are left out between two blocks get blocks in which nothing happens. */
function withGapsFilled<Call extends CallTerms>(
  plans: readonly BlockPlan<Call>[],
  below: number,
): readonly BlockPlan<Call>[] {
  const filled: BlockPlan<Call>[] = []
  for (const plan of plans) {
    const number = plan.number ?? below + filled.length + 1
    if (number - below > MAX_SIMULATED_BLOCKS) throw tooManyBlocks(MAX_SIMULATED_BLOCKS)
    while (below + filled.length + 1 < number) filled.push(NOTHING)
    filled.push(plan)
  }
  return filled
}

const NOTHING: BlockPlan<never> = { envOf: (env) => env, stateOverrides: new Map(), calls: [] }

/** Heights and times go up; the chain's own time between blocks does not matter here. */
function envAfter<Call extends CallTerms>(
  { env, baseFee }: SimulationStart<Call>,
  parent: Header,
  plan: BlockPlan<Call>,
): BlockEnv {
  const number = plan.number ?? parent.number + 1
  const timestamp = plan.time ?? parent.timestamp + 1
  if (number <= parent.number) throw outOfOrder('numbers', number, parent.number)
  if (timestamp <= parent.timestamp) throw outOfOrder('timestamps', timestamp, parent.timestamp)
  return plan.envOf({ ...env, number, timestamp, prevRandao: 0n, baseFee })
}

type Calls<Call extends CallTerms> = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly plan: BlockPlan<Call>
  readonly gasLeft: bigint
  readonly start: SimulationStart<Call>
}

function* callSlices<Call extends CallTerms>(calls: Calls<Call>): Slices<SimulatedCall[]> {
  const { world, env, plan, gasLeft, start } = calls
  const precompiles = overriddenPrecompiles(env.rules, plan.stateOverrides)
  const done: SimulatedCall[] = []
  let cumulativeGasUsed = 0n
  let firstLogIndex = 0
  for (const call of plan.calls) {
    const available = smaller(env.gasLimit, gasLeft) - cumulativeGasUsed
    if (call.gas && cumulativeGasUsed + call.gas > env.gasLimit) throw gasOfBlockExceeded()
    const message = { ...start.messageOf(call, env), gas: smaller(call.gas ?? available, available) }
    const nextNonce = world.account(message.from)?.nonce ?? 0n
    const nonce = call.nonce ?? nextNonce
    const refusal = start.isStrict ? refusalOf({ nonce, nextNonce, message, env }) : null
    const executed = refusal ?? (yield* messageSlices(world, env, message, { precompiles }))
    if (executed.type === 'refused') throw refusedInSimulation(executed)
    cumulativeGasUsed += executed.gasUsed
    const { logs, failure, contractAddress, gasUsed } = executed
    const receipt = createReceipt({ type: FEE_MARKET, status: failure === null ? 1 : 0, cumulativeGasUsed, logs })
    const outcome = { receipt, gasUsed, contractAddress, firstLogIndex }
    done.push({ recovered: unsignedTransaction({ call, message, nonce, env }), outcome, executed })
    firstLogIndex += logs.length
  }
  return done
}

type Claim = {
  readonly nonce: bigint
  readonly nextNonce: bigint
  readonly message: Required<CallMessage>
  readonly env: BlockEnv
}

function refusalOf({ nonce, nextNonce, message: { from, gasPrice }, env: { baseFee } }: Claim): Refusal | null {
  const nonces = `${ofAddress(from)}, tx: ${nonce} state: ${nextNonce}`
  if (nonce < nextNonce) return refuse('nonceTooLow', nonces)
  if (nonce > nextNonce) return refuse('nonceTooHigh', nonces)
  if (gasPrice >= baseFee) return null
  return refuse('feeCapTooLow', `${ofAddress(from)}, maxFeePerGas: ${gasPrice}, baseFee: ${baseFee}`)
}

type Unsigned = {
  readonly call: CallTerms
  readonly message: Required<CallMessage>
  readonly nonce: bigint
  readonly env: BlockEnv
}

/** A transaction that nobody signed: it has a place and a hash, but is none. */
function unsignedTransaction({ call, message, nonce, env }: Unsigned): RecoveredTransaction {
  const transaction = {
    type: FEE_MARKET,
    chainId: env.chainId,
    nonce,
    gasLimit: message.gas,
    to: message.to,
    value: message.value,
    data: message.data,
    maxFeePerGas: call.maxFeePerGas ?? message.gasPrice,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? message.gasPrice,
    accessList: message.accessList,
    signature: { r: 0n, s: 0n, yParity: 0 },
  }
  return { transaction, raw: encodeTransaction(transaction), hash: transactionHash(transaction), from: message.from }
}

type Draft = {
  readonly parent: { readonly header: Header; readonly hash: Hex }
  readonly env: BlockEnv
  readonly calls: readonly SimulatedCall[]
  readonly stateRoot: Hex
}

function sealed({ parent, env, calls, stateRoot }: Draft): SimulatedBlock {
  const raws = calls.map(({ recovered }) => recovered.raw)
  const receipts = calls.map(({ outcome }) => outcome.receipt)
  const header: Header = {
    ...parent.header,
    parentHash: parent.hash,
    miner: env.coinbase,
    stateRoot,
    transactionsRoot: transactionsRoot(raws),
    receiptsRoot: receiptsRoot(receipts),
    logsBloom: unionOfBlooms(receipts.map(({ logsBloom }) => logsBloom)),
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
    timestamp: env.timestamp,
    mixHash: wordToHex(env.prevRandao),
    baseFeePerGas: env.baseFee,
    blobGasUsed: 0n,
    parentBeaconBlockRoot: wordToHex(0n),
  }
  const size = encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] }).length
  return { header, hash: headerHash(header), size, calls }
}

const withBlockHashes = (source: StateSource, hashes: ReadonlyMap<number, Hex>): StateSource => ({
  account: (address) => source.account(address),
  storage: (address, slot) => source.storage(address, slot),
  code: (address, codeHash) => source.code(address, codeHash),
  blockHash(number) {
    const hash = hashes.get(number)
    return hash === undefined ? source.blockHash(number) : BigInt(hash)
  },
})
