// `eth_simulateV1`: blocks that might come next, each with overrides and unsigned calls, on top of a block of the chain.
import { encodeBlock, transactionsRoot } from '../../chain/block.ts'
import { unionOfBlooms } from '../../chain/bloom.ts'
import { type Header, headerHash } from '../../chain/header.ts'
import { bytesToHex, type Hex, wordToHex } from '../../chain/hex.ts'
import { createReceipt, receiptsRoot } from '../../chain/receipt.ts'
import type { RecoveredTransaction } from '../../chain/recovered-transaction.ts'
import { FEE_MARKET } from '../../chain/transaction.ts'
import { encodeTransaction, transactionHash } from '../../chain/transaction-codec.ts'
import type { CallFailure, CallMessage } from '../../evm/call.ts'
import type { BlockEnv } from '../../evm/machine.ts'
import { overriddenPrecompiles, overriddenState, type StateOverrides } from '../../evm/overrides.ts'
import { ofAddress, type Refusal, refuse } from '../../evm/refusal.ts'
import type { StateChanges, StateSource } from '../../evm/state-source.ts'
import type { StateTrie } from '../../evm/state-trie.ts'
import { smaller } from '../../evm/word.ts'
import { WorldState } from '../../evm/world-state.ts'
import type { ChainBlock, IncludedTransaction } from '../chain/chain.ts'
import { CALL_GAS_CAP, callMessage, overriddenEnv } from './call-message.ts'
import { executeMessage } from './execute-message.ts'
import { gasOfBlockExceeded, outOfOrder, refusedInSimulation, tooManyBlocks } from './failures.ts'
import type { BlockOverrides, CallObject } from './params.ts'

export const MAX_SIMULATED_BLOCKS = 256

export type BlockPlan = {
  readonly blockOverrides: BlockOverrides
  readonly stateOverrides: StateOverrides
  readonly calls: readonly CallObject[]
}

export type SimulatedBlock = { readonly block: ChainBlock; readonly outcomes: readonly CallOutcome[] }
export type CallOutcome = { readonly output: Uint8Array; readonly failure: CallFailure | null }

export type SimulationStart = {
  readonly block: ChainBlock
  readonly env: BlockEnv
  readonly source: StateSource
  /** Forked for the roots of the simulated blocks. */
  readonly trie: StateTrie
  /** Of blocks that do not set one: zero lets calls without a price run. */
  readonly baseFee: bigint
  /** Whether calls must keep to the rules of transactions about nonces and prices. */
  readonly isStrict: boolean
}

export function simulate(start: SimulationStart, plans: readonly BlockPlan[]): SimulatedBlock[] {
  const trie = start.trie.fork()
  const hashes = new Map<number, Hex>([[start.block.header.number, start.block.hash]])
  let gasLeft = CALL_GAS_CAP
  let below: StateSource = withBlockHashes(start.source, hashes)
  let parent = start.block
  return withGapsFilled(plans, start.block.header.number).map((plan) => {
    const env = envAfter(start, parent.header, plan.blockOverrides)
    const world = new WorldState(overriddenState(below, plan.stateOverrides))
    trie.apply(changesOfOverrides(below, plan.stateOverrides))
    const ran = runCalls({ world, env, plan, gasLeft, isStrict: start.isStrict })
    trie.apply(world.takeChanges())
    const block = sealed({ parent, env, transactions: ran.transactions, stateRoot: bytesToHex(trie.root) })
    hashes.set(block.header.number, block.hash)
    gasLeft -= block.header.gasUsed
    below = world
    parent = block
    return { block, outcomes: ran.outcomes }
  })
}

/** Heights that are left out between two blocks get blocks in which nothing happens. */
function withGapsFilled(plans: readonly BlockPlan[], below: number): BlockPlan[] {
  const filled: BlockPlan[] = []
  for (const plan of plans) {
    const { number = below + filled.length + 1 } = plan.blockOverrides
    if (number - below > MAX_SIMULATED_BLOCKS) throw tooManyBlocks(MAX_SIMULATED_BLOCKS)
    while (below + filled.length + 1 < number) filled.push(NOTHING)
    filled.push(plan)
  }
  return filled
}

const NOTHING: BlockPlan = { blockOverrides: {}, stateOverrides: new Map(), calls: [] }

/** Heights and times go up; the chain's own time between blocks does not matter here. */
function envAfter({ env, baseFee }: SimulationStart, parent: Header, overrides: BlockOverrides): BlockEnv {
  const { number = parent.number + 1, time = parent.timestamp + 1 } = overrides
  if (number <= parent.number) throw outOfOrder('numbers', number, parent.number)
  if (time <= parent.timestamp) throw outOfOrder('timestamps', time, parent.timestamp)
  return overriddenEnv({ ...env, number, timestamp: time, prevRandao: 0n, baseFee }, overrides)
}

type Calls = {
  readonly world: WorldState
  readonly env: BlockEnv
  readonly plan: BlockPlan
  readonly gasLeft: bigint
  readonly isStrict: boolean
}

function runCalls({ world, env, plan, gasLeft, isStrict }: Calls) {
  const precompiles = overriddenPrecompiles(env.rules, plan.stateOverrides)
  const transactions: IncludedTransaction[] = []
  const outcomes: CallOutcome[] = []
  let gasUsed = 0n
  let firstLogIndex = 0
  for (const call of plan.calls) {
    const available = smaller(env.gasLimit, gasLeft) - gasUsed
    if (call.gas && gasUsed + call.gas > env.gasLimit) throw gasOfBlockExceeded()
    const message = { ...callMessage(call, env), gas: smaller(call.gas ?? available, available) }
    const nonce = world.account(message.from)?.nonce ?? 0n
    const recovered = unsignedTransaction({ ...call, nonce: call.nonce ?? nonce }, message, env)
    const refusal = isStrict ? refusalOf({ nonce: call.nonce ?? nonce, nextNonce: nonce, message, env }) : null
    const executed = refusal ?? executeMessage(world, env, message, { precompiles })
    if (executed.type === 'refused') throw refusedInSimulation(executed)
    gasUsed += executed.gasUsed
    const { logs, failure, contractAddress } = executed
    const status = failure === null ? 1 : 0
    const receipt = createReceipt({ type: FEE_MARKET, status, cumulativeGasUsed: gasUsed, logs })
    transactions.push({ recovered, receipt, gasUsed: executed.gasUsed, contractAddress, firstLogIndex })
    outcomes.push(executed)
    firstLogIndex += logs.length
  }
  return { transactions, outcomes }
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

/** A transaction that nobody signed: it has a place and a hash, but is none. */
function unsignedTransaction(call: CallObject, message: Required<CallMessage>, env: BlockEnv): RecoveredTransaction {
  const transaction = {
    type: FEE_MARKET,
    chainId: env.chainId,
    nonce: call.nonce ?? 0n,
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
  readonly parent: ChainBlock
  readonly env: BlockEnv
  readonly transactions: readonly IncludedTransaction[]
  readonly stateRoot: Hex
}

function sealed({ parent, env, transactions, stateRoot }: Draft): ChainBlock {
  const raws = transactions.map(({ recovered }) => recovered.raw)
  const receipts = transactions.map(({ receipt }) => receipt)
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
  return { header, hash: headerHash(header), size, transactions }
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

function changesOfOverrides(source: StateSource, overrides: StateOverrides): StateChanges {
  const overridden = overriddenState(source, overrides)
  const entries = [...overrides]
  return {
    accounts: new Map(entries.map(([address]) => [address, overridden.account(address) ?? null])),
    wiped: new Set(entries.flatMap(([address, { state }]) => (state ? [address] : []))),
    slots: new Map(entries.map(([address, { state, stateDiff }]) => [address, state ?? stateDiff ?? new Map()])),
    codes: new Map(),
  }
}
