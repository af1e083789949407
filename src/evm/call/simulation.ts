// `eth_simulateV1`: simulated blocks after a real one, each with overrides and unsigned calls. If the caller knows the whole state it
// computes the state roots; otherwise they are zero, as in the flashblocks of feeds without roots.

import { type Hex, wordToHex } from '../../chain/bytes/hex.ts'
import { encodeBlock, transactionsRoot } from '../../chain/codec/block.ts'
import { unionOfBlooms } from '../../chain/codec/bloom.ts'
import { type Header, headerHash } from '../../chain/codec/header.ts'
import type { Log } from '../../chain/codec/log.ts'
import { createReceipt, type Receipt, receiptsRoot } from '../../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../../chain/codec/recovered-transaction.ts'
import { FEE_MARKET, type FeeMarketTransaction } from '../../chain/codec/transaction.ts'
import { encodeTransaction, transactionHash } from '../../chain/codec/transaction-codec.ts'
import { ETHEREUM_BASE_FEE, nextBaseFee, OP_BASE_FEE } from '../../chain/rules/base-fee.ts'
import type { BlockEnv } from '../core/block-env.ts'
import type { PausableRun } from '../core/pausable-run.ts'
import { smaller } from '../core/word.ts'
import type { StateSource } from '../state/state-source.ts'
import { WorldState } from '../state/world-state.ts'
import { beginBlock, endBlock } from '../transaction/block.ts'
import { addressDetail, type Refusal, refuse } from '../transaction/refusal.ts'
import type { CallMessage } from './call.ts'
import { gasOfBlockExceeded, outOfOrder, refusedInSimulation, tooManyBlocks } from './call-failures.ts'
import {
  type BlockOverridesObject,
  type CallObject,
  callMessage,
  overriddenEnv,
  overridesOf,
  type StateOverridesObject,
} from './call-object.ts'
import { type ExecutedMessage, pausableMessage } from './execute-message.ts'
import { overriddenPrecompiles, overriddenState, type StateOverrides } from './overrides.ts'
import { TransferLogger } from './transfer-logger.ts'

const MAX_SIMULATED_BLOCKS = 256

export type SimulatedBlock = {
  readonly header: Header
  readonly hash: Hex
  readonly size: number
  readonly calls: readonly SimulatedCall[]
}

export type SimulatedCall = {
  readonly recovered: RecoveredTransaction
  readonly receipt: Receipt
  readonly executed: ExecutedMessage
  /** The logs in the answer: those of the receipt and, if requested, those of transfers. */
  readonly logs: readonly Log[]
  /** Index in the block of the first log. */
  readonly firstLogIndex: number
}

export type BlockPlan = {
  readonly blockOverrides?: BlockOverridesObject | null | undefined
  readonly stateOverrides?: StateOverridesObject | null | undefined
  readonly calls?: readonly CallObject[] | null | undefined
}

export type SimulationStart = {
  readonly header: Header
  readonly hash: Hex
  readonly env: BlockEnv
  /** For all blocks together. */
  readonly gasCap: bigint
  /** Whether nonces and gas prices are checked as for transactions. */
  readonly isStrict: boolean
  /** Whether the logs include transfers of Ether. */
  readonly showsTransfers: boolean
  /** Called after each block. The block began on `below` with the overrides. */
  stateRootOf?(world: WorldState, below: StateSource, overrides: StateOverrides): Hex
}

/** `base` is the state after the block of `start`. */
export function* pausableSimulation(
  base: StateSource,
  start: SimulationStart,
  plans: readonly BlockPlan[],
): PausableRun<SimulatedBlock[]> {
  const hashes = new Map<number, Hex>([[start.header.number, start.hash]])
  const blocks: SimulatedBlock[] = []
  let gasLeft = start.gasCap
  let below: StateSource = withBlockHashes(base, hashes)
  let parent: { readonly header: Header; readonly hash: Hex } = start
  for (const plan of withGapsFilled(plans, start.header.number)) {
    const env = envAfter(start, parent.header, plan)
    const overrides = overridesOf(plan.stateOverrides) ?? NO_OVERRIDES
    const world = new WorldState(overriddenState(below, overrides))
    beginBlock(world, env, { parentHash: BigInt(parent.hash), parentBeaconRoot: NO_BEACON_ROOT })
    const calls = yield* callSlices({ world, env, overrides, calls: plan.calls ?? [], gasLeft, start })
    endBlock(world, env, { withdrawals: [], logs: calls.flatMap(({ executed }) => executed.logs) })
    const stateRoot = start.stateRootOf?.(world, below, overrides) ?? wordToHex(0n)
    const block = sealBlock({ parent, env, calls, stateRoot })
    hashes.set(block.header.number, block.hash)
    gasLeft -= block.header.gasUsed
    below = world
    parent = block
    blocks.push(block)
  }
  return blocks
}

const NO_OVERRIDES: StateOverrides = new Map()
const NO_BEACON_ROOT = 0n

/** Missing heights between two blocks are filled with empty blocks. */
function withGapsFilled(plans: readonly BlockPlan[], below: number): readonly BlockPlan[] {
  const filled: BlockPlan[] = []
  for (const plan of plans) {
    const number = plan.blockOverrides?.number ?? below + filled.length + 1
    if (number - below > MAX_SIMULATED_BLOCKS) throw tooManyBlocks()
    while (below + filled.length + 1 < number) filled.push({})
    filled.push(plan)
  }
  return filled
}

/** Heights and times increase; coinbase and gas limit stay as in the parent block. */
function envAfter({ env, isStrict }: SimulationStart, parent: Header, { blockOverrides }: BlockPlan): BlockEnv {
  const number = blockOverrides?.number ?? parent.number + 1
  const timestamp = blockOverrides?.time ?? parent.timestamp + (env.rules.op ? OP_BLOCK_S : ETHEREUM_BLOCK_S)
  if (number <= parent.number) throw outOfOrder('numbers', number, parent.number)
  if (timestamp <= parent.timestamp) throw outOfOrder('timestamps', timestamp, parent.timestamp)
  const { miner: coinbase, gasLimit } = parent
  // Without a base fee, calls with a gas price of zero can run.
  const baseFee = isStrict ? nextBaseFee(parent, env.rules, env.rules.op ? OP_BASE_FEE : ETHEREUM_BASE_FEE) : 0n
  return overriddenEnv({ ...env, number, timestamp, coinbase, gasLimit, prevRandao: 0n, baseFee }, blockOverrides)
}

/** OP chains differ; this is the shortest. */
const OP_BLOCK_S = 1
const ETHEREUM_BLOCK_S = 12

type Calls = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly overrides: StateOverrides
  readonly calls: readonly CallObject[]
  readonly gasLeft: bigint
  readonly start: SimulationStart
}

function* callSlices({ world, env, overrides, calls, gasLeft, start }: Calls): PausableRun<SimulatedCall[]> {
  const precompiles = overriddenPrecompiles(env.rules, overrides)
  const done: SimulatedCall[] = []
  let cumulativeGasUsed = 0n
  let firstLogIndex = 0
  for (const call of calls) {
    const available = smaller(env.gasLimit, gasLeft) - cumulativeGasUsed
    if (call.gas && cumulativeGasUsed + call.gas > env.gasLimit) throw gasOfBlockExceeded()
    // The cap of a transaction (EIP-7825) does not count here, as in geth: a call without gas gets what is left of the block.
    const message = { ...callMessage(call, env, start.gasCap), gas: smaller(call.gas ?? available, available) }
    const nextNonce = world.account(message.from)?.nonce ?? 0n
    const nonce = call.nonce ?? nextNonce
    const refusal = start.isStrict ? refusalOf({ nonce, nextNonce, message, env }) : null
    const tracer = start.showsTransfers ? new TransferLogger() : null
    const executed = refusal ?? (yield* pausableMessage(world, env, message, { precompiles, tracer }))
    if (executed.type === 'refused') throw refusedInSimulation(executed, message.gas)
    cumulativeGasUsed += executed.gasUsed
    const status = executed.failure === null ? 1 : 0
    const recovered = unsignedTransaction({ call, message, nonce, env })
    const receipt = createReceipt({ type: recovered.transaction.type, status, cumulativeGasUsed, logs: executed.logs })
    const logs = tracer?.logs ?? executed.logs
    done.push({ recovered, receipt, executed, logs, firstLogIndex })
    firstLogIndex += logs.length
  }
  return done
}

type StrictCheck = {
  readonly nonce: bigint
  readonly nextNonce: bigint
  readonly message: Required<CallMessage>
  readonly env: BlockEnv
}

function refusalOf({ nonce, nextNonce, message: { from, gasPrice }, env: { baseFee } }: StrictCheck): Refusal | null {
  const nonces = `${addressDetail(from)}, tx: ${nonce} state: ${nextNonce}`
  if (nonce < nextNonce) return refuse('nonceTooLow', nonces)
  if (nonce > nextNonce) return refuse('nonceTooHigh', nonces)
  if (gasPrice >= baseFee) return null
  return refuse('feeCapTooLow', `${addressDetail(from)}, maxFeePerGas: ${gasPrice}, baseFee: ${baseFee}`)
}

type Unsigned = {
  readonly call: CallObject
  readonly message: Required<CallMessage>
  readonly nonce: bigint
  readonly env: BlockEnv
}

/** A transaction without a signature, so that the call has an index and a hash in the block. What the call does not offer is 0. */
function unsignedTransaction({ call, message, nonce, env }: Unsigned): RecoveredTransaction {
  const transaction: FeeMarketTransaction = {
    type: FEE_MARKET,
    chainId: env.chainId,
    nonce,
    gasLimit: message.gas,
    to: message.to,
    value: message.value,
    data: message.data,
    maxFeePerGas: call.maxFeePerGas ?? call.gasPrice ?? 0n,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? call.gasPrice ?? 0n,
    accessList: message.accessList,
    signature: { r: 0n, s: 0n, yParity: 0 },
  }
  return { transaction, raw: encodeTransaction(transaction), hash: transactionHash(transaction), from: message.from }
}

type SealInput = {
  readonly parent: { readonly header: Header; readonly hash: Hex }
  readonly env: BlockEnv
  readonly calls: readonly SimulatedCall[]
  readonly stateRoot: Hex
}

function sealBlock({ parent, env, calls, stateRoot }: SealInput): SimulatedBlock {
  const raws = calls.map(({ recovered }) => recovered.raw)
  const receipts = calls.map(({ receipt }) => receipt)
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
    parentBeaconBlockRoot: wordToHex(NO_BEACON_ROOT),
  }
  const size = encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] }).length
  return { header, hash: headerHash(header), size, calls }
}

function withBlockHashes(source: StateSource, hashes: ReadonlyMap<number, Hex>): StateSource {
  return {
    account: (address) => source.account(address),
    storage: (address, slot) => source.storage(address, slot),
    code: (address, codeHash) => source.code(address, codeHash),
    blockHash(number) {
      const hash = hashes.get(number)
      return hash === undefined ? source.blockHash(number) : BigInt(hash)
    },
  }
}
