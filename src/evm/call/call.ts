// `eth_call`: runs a message and reverts it, so that the world does not change.

import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { AccessList } from '../../chain/codec/access-list.ts'
import type { Authorization } from '../../chain/codec/authorization.ts'
import type { Log } from '../../chain/codec/log.ts'
import type { BlockEnv } from '../core/block-env.ts'
import type { Tracer } from '../core/execution-frame.ts'
import { atMostTransactionGas } from '../core/gas.ts'
import { REVERTED } from '../core/halt.ts'
import { type PausableRun, runToEnd } from '../core/pausable-run.ts'
import type { AccountRecord } from '../state/account-record.ts'
import type { Misses } from '../state/state-source.ts'
import { WorldState } from '../state/world-state.ts'
import { createMachine } from '../transaction/create-machine.ts'
import { upfrontGasRefusal } from '../transaction/intrinsic-gas.ts'
import { pausableMeteredRun } from '../transaction/metered-run.ts'
import { addressDetail, type Refusal, refuse } from '../transaction/refusal.ts'
import type { CallFailure } from './call-failures.ts'
import { overriddenPrecompiles, overriddenState, type StateOverrides } from './overrides.ts'

export type CallMessage = {
  readonly from?: bigint
  readonly to: bigint | null
  readonly data?: Uint8Array
  readonly value?: bigint
  /** Default: the gas limit of the block, since Osaka at most the cap of a transaction. */
  readonly gas?: bigint
  /** At zero the call pays no fees. */
  readonly gasPrice?: bigint
  readonly accessList?: AccessList
  readonly authorizations?: readonly Authorization[]
  readonly blobHashes?: readonly bigint[]
}

export type CallOptions = {
  readonly overrides?: StateOverrides | undefined
  readonly tracer?: Tracer | undefined
}

export type CallResult = {
  readonly ok: boolean
  readonly gasUsed: bigint
  /** The refund, already subtracted from `gasUsed`. */
  readonly refunded: bigint
  /** Return data, or revert data. */
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  readonly failure: CallFailure | null
  /** What the source did not know. If not null, the rest of this result is worthless: fetch the misses and call again. */
  readonly misses: Misses | null
}

export function call(world: WorldState, block: BlockEnv, message: CallMessage, options: CallOptions = {}): CallResult {
  return runToEnd(pausableCall(world, block, message, options))
}

/** Nobody else may use the world until the run has ended. */
export function pausableCall(
  world: WorldState,
  block: BlockEnv,
  message: CallMessage,
  { overrides, tracer }: CallOptions = {},
): PausableRun<CallResult> {
  if (overrides === undefined) return runOn(world, block, message, { tracer })
  return runOn(new WorldState(overriddenState(world, overrides)), block, message, { tracer, overrides })
}

function* runOn(
  world: WorldState,
  block: BlockEnv,
  message: CallMessage,
  { tracer, overrides }: CallOptions,
): PausableRun<CallResult> {
  const { from = 0n, to, data = EMPTY_BYTES, value = 0n, gasPrice = 0n } = message
  const gas = message.gas ?? atMostTransactionGas(block.rules, block.gasLimit)
  const { accessList = [], authorizations = [], blobHashes = [] } = message
  world.beginTransaction()
  const start = world.checkpoint()
  const sender = world.record(from)
  const needed = gas * gasPrice + value
  const refusal =
    upfrontGasRefusal(block.rules, { to, data, accessList, authorizationCount: authorizations.length }, gas) ??
    (sender.balance < needed ? insufficientFunds(sender, needed) : null)
  if (refusal !== null) return refusedCall(refusal, world.takeMisses())

  if (gasPrice !== 0n) world.setBalance(sender, sender.balance - gas * gasPrice)
  const precompiles = overrides && overriddenPrecompiles(block.rules, overrides)
  const machine = createMachine({ world, block, origin: from, gasPrice, blobHashes, tracer, precompiles })
  const run = yield* pausableMeteredRun(machine, { from, to, value, data, accessList, authorizations }, gas)
  const logs = run.halt === null && world.logs.length > 0 ? [...world.logs] : NO_LOGS
  world.revert(start)
  return {
    ok: run.halt === null,
    gasUsed: run.gasUsed,
    refunded: run.refunded,
    output: run.output,
    logs,
    failure: run.halt && { type: run.halt === REVERTED ? 'reverted' : 'halted', message: run.halt.message },
    misses: world.takeMisses(),
  }
}

function insufficientFunds({ address, balance }: AccountRecord, needed: bigint): Refusal {
  return refuse('insufficientFunds', `${addressDetail(address)} have ${balance} want ${needed}`)
}

function refusedCall({ message }: Refusal, misses: Misses | null): CallResult {
  return {
    ok: false,
    gasUsed: 0n,
    refunded: 0n,
    output: EMPTY_BYTES,
    logs: NO_LOGS,
    failure: { type: 'refused', message },
    misses,
  }
}

const NO_LOGS: readonly Log[] = []
