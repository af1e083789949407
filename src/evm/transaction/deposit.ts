// OP Stack deposits. They were sent on L1, so they must be included even if they fail. They pay no fees. The minted value and the
// incremented nonce stay even if the deposit fails.

import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { DepositTransaction } from '../../chain/codec/transaction.ts'
import { createAddress } from '../../chain/rules/create-address.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { Halt } from '../core/halt.ts'
import type { WorldState } from '../state/world-state.ts'
import { createMachine } from './create-machine.ts'
import type { Execution, ExecutionOptions } from './execution.ts'
import { upfrontGasRefusal } from './intrinsic-gas.ts'
import { type MeteredRun, runMetered } from './metered-run.ts'
import { type Refusal, refuse } from './refusal.ts'

export function executeDeposit(
  world: WorldState,
  block: BlockEnv,
  deposit: DepositTransaction,
  { tracer, gasUsedBefore = 0n }: ExecutionOptions,
): Execution {
  if (deposit.gasLimit > block.gasLimit - gasUsedBefore) return refuse('gasLimitReached')
  const sender = world.record(deposit.from)
  const depositNonce = sender.nonce
  if (deposit.mint !== 0n) world.setBalance(sender, sender.balance + deposit.mint)

  const message = { ...deposit, accessList: [], authorizations: [] }
  const invalid = depositRefusal(block, deposit, sender.balance)
  const machine = createMachine({ world, block, origin: deposit.from, gasPrice: 0n, tracer })
  const run =
    invalid === null ? runMetered(machine, message, deposit.gasLimit) : failedRun(deposit, depositNonce, invalid)
  if (invalid !== null) world.setNonce(sender, depositNonce + 1n)
  const { logs } = world
  world.endTransaction()
  return {
    type: 'executed',
    succeeded: run.halt === null,
    gasUsed: run.gasUsed,
    logs,
    output: run.output,
    error: run.halt?.message ?? null,
    contractAddress: run.contractAddress,
    effectiveGasPrice: 0n,
    blobGasUsed: 0n,
    rollup: null,
    depositNonce,
  }
}

/** A reason for which another transaction would be refused makes a deposit fail and use all its gas. */
function depositRefusal({ rules }: BlockEnv, deposit: DepositTransaction, balance: bigint): Refusal | null {
  const { to, data, value, gasLimit } = deposit
  const refusal = upfrontGasRefusal(rules, { to, data, accessList: [], authorizationCount: 0 }, gasLimit)
  if (refusal !== null || balance >= value) return refusal
  return refuse('insufficientFunds', `have ${balance} want ${value}`)
}

function failedRun({ from, to, gasLimit }: DepositTransaction, nonce: bigint, { message }: Refusal): MeteredRun {
  return {
    gasUsed: gasLimit,
    refunded: 0n,
    peakGas: gasLimit,
    halt: new Halt(`failed deposit: ${message}`),
    output: EMPTY_BYTES,
    contractAddress: to === null ? createAddress(from, nonce) : null,
  }
}
