// Runs an unsigned message on a world and leaves what it did there: for traces of calls and for simulated blocks.
import type { Log } from '../../chain/log.ts'
import type { CallFailure, CallMessage } from '../../evm/call.ts'
import { REVERTED } from '../../evm/halt.ts'
import { floorGas, intrinsicGas } from '../../evm/intrinsic-gas.ts'
import { type BlockEnv, createMachine, type MachineInput } from '../../evm/machine.ts'
import { runMetered } from '../../evm/metered-run.ts'
import { ofAddress, type Refusal, refuse } from '../../evm/refusal.ts'
import type { WorldState } from '../../evm/world-state.ts'

export type ExecutedMessage = {
  readonly type: 'executed'
  readonly gasUsed: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  readonly failure: CallFailure | null
  readonly contractAddress: bigint | null
}

export function executeMessage(
  world: WorldState,
  block: BlockEnv,
  message: Required<CallMessage>,
  options: Pick<MachineInput, 'tracer' | 'precompiles'> = {},
): ExecutedMessage | Refusal {
  const { from, to, value, data, gas, gasPrice, accessList, authorizations, blobHashes } = message
  world.beginTransaction()
  const sender = world.record(from)
  const refusal = refusalOf(block, message, sender.balance)
  if (refusal !== null) return refusal
  world.setBalance(sender, sender.balance - gas * gasPrice)
  const machine = createMachine({ world, block, origin: from, gasPrice, blobHashes, ...options })
  const run = runMetered(machine, { from, to, value, data, accessList, authorizations }, gas)
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
    output: run.output,
    logs: run.halt === null ? logs : [],
    failure: run.halt && { type: run.halt === REVERTED ? 'reverted' : 'halted', message: run.halt.message },
    contractAddress: run.contractAddress,
  }
}

function refusalOf({ rules }: BlockEnv, message: Required<CallMessage>, balance: bigint): Refusal | null {
  const { from, to, data, value, gas, gasPrice, accessList, authorizations } = message
  const intrinsic = intrinsicGas(rules, { to, data, accessList, authorizationCount: authorizations.length })
  if (gas < intrinsic) return refuse('intrinsicGas', `have ${gas}, want ${intrinsic}`)
  const floor = floorGas(rules, data)
  if (gas < floor) return refuse('floorDataGas', `have ${gas}, want ${floor}`)
  const needed = gas * gasPrice + value
  return balance < needed ? refuse('insufficientFunds', `${ofAddress(from)} have ${balance} want ${needed}`) : null
}
