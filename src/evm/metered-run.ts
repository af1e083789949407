// A message run under a gas limit: intrinsic gas before it, refund and floor after it.
import type { Halt } from './halt.ts'
import { floorGas, intrinsicGas } from './intrinsic-gas.ts'
import type { Machine } from './machine.ts'
import { runMessage, type TransactionMessage } from './message.ts'
import { larger, smaller } from './word.ts'

export type MeteredRun = {
  readonly gasUsed: bigint
  /** What was handed back for clearing storage and the like. */
  readonly refunded: bigint
  readonly halt: Halt | null
  readonly output: Uint8Array
  /** Where the message creates a contract. */
  readonly contractAddress: bigint | null
}

/** `gasLimit` covers the intrinsic gas: somebody has checked. */
export function runMetered(machine: Machine, message: TransactionMessage, gasLimit: bigint): MeteredRun {
  const { world, rules, gas } = machine
  const { to, data, accessList, authorizations } = message
  const intrinsic = intrinsicGas(rules, { to, data, accessList, authorizationCount: authorizations.length })
  const given = gasLimit - BigInt(intrinsic)
  const ran = smaller(given, MOST_GAS_TO_RUN)
  const { halt, output, gas: left, self } = runMessage(machine, message, Number(ran))
  const isBurnt = halt !== null && !halt.keepsGas
  const spent = isBurnt ? gasLimit : gasLimit - (given - ran + BigInt(left))
  const refunded = smaller(spent / BigInt(gas.refundQuotient), BigInt(world.refund))
  return {
    gasUsed: larger(spent - refunded, BigInt(floorGas(rules, data))),
    refunded,
    halt,
    output,
    contractAddress: to === null ? self.address : null,
  }
}

/** Gas is counted in doubles, exact up to 2^53; nobody lives to see a run that uses up this much. */
const MOST_GAS_TO_RUN = BigInt(Number.MAX_SAFE_INTEGER)
