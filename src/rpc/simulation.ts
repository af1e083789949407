// `eth_simulateV1` on top of a preconfirmed block: blocks that might come next, each with overrides and unsigned calls. Nobody knows the
// whole state here, so the state root of such a block is zero, as in the flashblocks of feeds that leave it out.
import { encodeBlock, transactionsRoot } from '../chain/block.ts'
import { unionOfBlooms } from '../chain/bloom.ts'
import { type Header, headerHash } from '../chain/header.ts'
import { type Hex, wordToHex } from '../chain/hex.ts'
import { createReceipt, receiptsRoot } from '../chain/receipt.ts'
import type { RecoveredTransaction } from '../chain/recovered-transaction.ts'
import { FEE_MARKET } from '../chain/transaction.ts'
import { encodeTransaction, transactionHash } from '../chain/transaction-codec.ts'
import { MAX_SIMULATED_BLOCKS, type Simulation } from '../contract/rpc-further.ts'
import type { BlockOverridesObject, CallObject } from '../contract/rpc-params.ts'
import type { CallMessage } from '../evm/call.ts'
import { type ExecutedMessage, messageSlices } from '../evm/execute-message.ts'
import type { BlockEnv } from '../evm/machine.ts'
import { overriddenPrecompiles, overriddenState } from '../evm/overrides.ts'
import { ofAddress, type Refusal, refuse } from '../evm/refusal.ts'
import type { Slices } from '../evm/slices.ts'
import type { StateSource } from '../evm/state-source.ts'
import { smaller } from '../evm/word.ts'
import { WorldState } from '../evm/world-state.ts'
import type { Outcome } from '../flashblocks/outcome.ts'
import { callMessage, overriddenEnv, overridesOf } from './call-message.ts'
import { gasOfBlockExceeded, outOfOrder, refusedInSimulation, tooManyBlocks } from './failures.ts'

export type SimulatedBlock = {
  readonly header: Header
  readonly hash: Hex
  readonly size: number
  readonly calls: readonly SimulatedCall[]
}

export type SimulatedCall = {
  readonly recovered: RecoveredTransaction
  readonly outcome: Outcome
  readonly executed: ExecutedMessage
}

export type SimulationStart = {
  readonly header: Header
  readonly hash: Hex
  readonly env: BlockEnv
  readonly gasCap: bigint
  /** Of blocks that do not set one: zero lets calls without a price run. */
  readonly baseFee: bigint
  /** Whether calls must keep to the rules of transactions about nonces and prices. */
  readonly isStrict: boolean
}

type Plan = Simulation['blockStateCalls'][number]

/** `ground` is the state after the block that it starts on. */
export function* simulationSlices(
  ground: StateSource,
  start: SimulationStart,
  plans: readonly Plan[],
): Slices<SimulatedBlock[]> {
  const hashes = new Map<number, Hex>([[start.header.number, start.hash]])
  const blocks: SimulatedBlock[] = []
  let gasLeft = start.gasCap
  let below: StateSource = withBlockHashes(ground, hashes)
  let parent: { readonly header: Header; readonly hash: Hex } = start
  for (const plan of withGapsFilled(plans, start.header.number)) {
    const env = envAfter(start, parent.header, plan.blockOverrides)
    const world = new WorldState(overriddenState(below, overridesOf(plan.stateOverrides) ?? new Map()))
    const calls = yield* callSlices({ world, env, plan, gasLeft, start })
    const block = sealed({ parent, env, calls })
    hashes.set(block.header.number, block.hash)
    gasLeft -= block.header.gasUsed
    below = world
    parent = block
    blocks.push(block)
  }
  return blocks
}

/** Heights that are left out between two blocks get blocks in which nothing happens. */
function withGapsFilled(plans: readonly Plan[], below: number): readonly Plan[] {
  const filled: Plan[] = []
  for (const plan of plans) {
    const number = plan.blockOverrides?.number ?? below + filled.length + 1
    if (number - below > MAX_SIMULATED_BLOCKS) throw tooManyBlocks(MAX_SIMULATED_BLOCKS)
    while (below + filled.length + 1 < number) filled.push({})
    filled.push(plan)
  }
  return filled
}

/** Heights and times go up; the chain's own time between blocks does not matter here. */
function envAfter(
  { env, baseFee }: SimulationStart,
  parent: Header,
  overrides: BlockOverridesObject | null | undefined,
): BlockEnv {
  const number = overrides?.number ?? parent.number + 1
  const timestamp = overrides?.time ?? parent.timestamp + 1
  if (number <= parent.number) throw outOfOrder('numbers', number, parent.number)
  if (timestamp <= parent.timestamp) throw outOfOrder('timestamps', timestamp, parent.timestamp)
  return overriddenEnv({ ...env, number, timestamp, prevRandao: 0n, baseFee }, overrides)
}

type Calls = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly plan: Plan
  readonly gasLeft: bigint
  readonly start: SimulationStart
}

function* callSlices({ world, env, plan, gasLeft, start }: Calls): Slices<SimulatedCall[]> {
  const precompiles = overriddenPrecompiles(env.rules, overridesOf(plan.stateOverrides) ?? new Map())
  const calls: SimulatedCall[] = []
  let cumulativeGasUsed = 0n
  let firstLogIndex = 0
  for (const call of plan.calls ?? []) {
    const available = smaller(env.gasLimit, gasLeft) - cumulativeGasUsed
    if (call.gas && cumulativeGasUsed + call.gas > env.gasLimit) throw gasOfBlockExceeded()
    const gas = smaller(call.gas ?? available, available)
    const message = { ...callMessage(call, env, start.gasCap), gas }
    const nextNonce = world.account(message.from)?.nonce ?? 0n
    const nonce = call.nonce ?? nextNonce
    const refusal = start.isStrict ? refusalOf({ nonce, nextNonce, message, env }) : null
    const executed = refusal ?? (yield* messageSlices(world, env, message, { precompiles }))
    if (executed.type === 'refused') throw refusedInSimulation(executed)
    cumulativeGasUsed += executed.gasUsed
    const { logs, failure, contractAddress, gasUsed } = executed
    const receipt = createReceipt({ type: FEE_MARKET, status: failure === null ? 1 : 0, cumulativeGasUsed, logs })
    const outcome = { receipt, gasUsed, contractAddress, firstLogIndex }
    calls.push({ recovered: unsignedTransaction({ call, message, nonce, env }), outcome, executed })
    firstLogIndex += logs.length
  }
  return calls
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
  readonly call: CallObject
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
}

function sealed({ parent, env, calls }: Draft): SimulatedBlock {
  const raws = calls.map(({ recovered }) => recovered.raw)
  const receipts = calls.map(({ outcome }) => outcome.receipt)
  const header: Header = {
    ...parent.header,
    parentHash: parent.hash,
    miner: env.coinbase,
    stateRoot: wordToHex(0n),
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
