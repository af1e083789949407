// Runs a message under a gas limit: subtracts the intrinsic gas before, and applies refund and floor after it.

import type { ExecutionFrame, Machine } from '../core/execution-frame.ts'
import type { Halt } from '../core/halt.ts'
import { runFrame } from '../core/interpreter.ts'
import { type PausableRun, pausableFrameRun } from '../core/pausable-run.ts'
import { larger, smaller } from '../core/word.ts'
import { floorGas, intrinsicGas } from './intrinsic-gas.ts'
import { openMessage, type TransactionMessage } from './message.ts'

export type MeteredRun = {
  readonly gasUsed: bigint
  /** Gas refunded, for example for cleared storage. */
  readonly refunded: bigint
  /** Gas used before the refund. */
  readonly peakGas: bigint
  readonly halt: Halt | null
  readonly output: Uint8Array
  /** Null if the message creates no contract. */
  readonly contractAddress: bigint | null
}

/** The caller has checked that `gasLimit` covers the intrinsic gas. */
export function runMetered(machine: Machine, message: TransactionMessage, gasLimit: bigint): MeteredRun {
  const started = startMetered(machine, message, gasLimit)
  runFrame(started.frame)
  return endMetered(machine, message, started)
}

/** The same with pauses. */
export function* pausableMeteredRun(
  machine: Machine,
  message: TransactionMessage,
  gasLimit: bigint,
): PausableRun<MeteredRun> {
  const started = startMetered(machine, message, gasLimit)
  yield* pausableFrameRun(started.frame)
  return endMetered(machine, message, started)
}

type Started = { readonly frame: ExecutionFrame; readonly gasLimit: bigint; readonly unused: bigint }

function startMetered(machine: Machine, message: TransactionMessage, gasLimit: bigint): Started {
  const { to, data, accessList, authorizations } = message
  const upfront = { to, data, accessList, authorizationCount: authorizations.length }
  const given = gasLimit - BigInt(intrinsicGas(machine.rules, upfront))
  const ran = smaller(given, MAX_GAS_TO_RUN)
  return { frame: openMessage(machine, message, Number(ran)), gasLimit, unused: given - ran }
}

function endMetered(machine: Machine, { to, data }: TransactionMessage, started: Started): MeteredRun {
  const { world, rules, gas } = machine
  const { frame, gasLimit, unused } = started
  const { halt, output, gas: left, self } = frame
  const isGasBurnt = halt !== null && !halt.keepsGas
  const spent = isGasBurnt ? gasLimit : gasLimit - (unused + BigInt(left))
  const refunded = smaller(spent / BigInt(gas.refundQuotient), BigInt(world.refund))
  const floor = BigInt(floorGas(rules, data))
  return {
    gasUsed: larger(spent - refunded, floor),
    refunded,
    peakGas: larger(spent, floor),
    halt,
    output,
    contractAddress: to === null ? self.address : null,
  }
}

/** Gas is counted in doubles, which are exact up to 2^53. No run can use that much. */
const MAX_GAS_TO_RUN = BigInt(Number.MAX_SAFE_INTEGER)
