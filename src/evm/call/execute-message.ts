// Runs an unsigned message on a world and leaves its changes there, for traces of calls and for simulated blocks.
import type { Log } from '../../chain/codec/log.ts'
import type { BlockEnv } from '../core/block-env.ts'
import { REVERTED } from '../core/halt.ts'
import type { PausableRun } from '../core/pausable-run.ts'
import type { WorldState } from '../state/world-state.ts'
import { createMachine, type MachineInput } from '../transaction/create-machine.ts'
import { upfrontGasRefusal } from '../transaction/intrinsic-gas.ts'
import { pausableMeteredRun } from '../transaction/metered-run.ts'
import { addressDetail, type Refusal, refuse } from '../transaction/refusal.ts'
import type { CallMessage } from './call.ts'
import type { CallFailure } from './call-failures.ts'

export type ExecutedMessage = {
  readonly type: 'executed'
  readonly gasUsed: bigint
  /** Before refunds. */
  readonly peakGas: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  readonly failure: CallFailure | null
  readonly contractAddress: bigint | null
}

export function* pausableMessage(
  world: WorldState,
  block: BlockEnv,
  message: Required<CallMessage>,
  options: Pick<MachineInput, 'tracer' | 'precompiles'> = {},
): PausableRun<ExecutedMessage | Refusal> {
  const { from, to, value, data, gas, gasPrice, accessList, authorizations, blobHashes } = message
  world.beginTransaction()
  const sender = world.record(from)
  const needed = gas * gasPrice + value
  const refusal =
    upfrontGasRefusal(block.rules, { to, data, accessList, authorizationCount: authorizations.length }, gas) ??
    (sender.balance < needed
      ? refuse('insufficientFunds', `${addressDetail(from)} have ${sender.balance} want ${needed}`)
      : null)
  if (refusal !== null) return refusal
  world.setBalance(sender, sender.balance - gas * gasPrice)
  const machine = createMachine({ world, block, origin: from, gasPrice, blobHashes, ...options })
  const run = yield* pausableMeteredRun(machine, { from, to, value, data, accessList, authorizations }, gas)
  const { logs } = world
  world.setBalance(sender, sender.balance + (gas - run.gasUsed) * gasPrice)
  if (gasPrice > block.baseFee) {
    const coinbase = world.record(block.coinbase)
    world.setBalance(coinbase, coinbase.balance + run.gasUsed * (gasPrice - block.baseFee))
  }
  world.endTransaction()
  return {
    type: 'executed',
    gasUsed: run.gasUsed,
    peakGas: run.peakGas,
    output: run.output,
    logs: run.halt === null ? logs : [],
    failure: run.halt && { type: run.halt === REVERTED ? 'reverted' : 'halted', message: run.halt.message },
    contractAddress: run.contractAddress,
  }
}
