import { call } from '../../src/evm/call/call.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import { type Call, type Engine, ownCpuMs } from './engine.ts'
import { block, state, trader, transfers } from './workload.ts'

export function createOwnEngine(): Engine {
  const world = new WorldState(state)
  const run = ({ to, data }: Call) => call(world, block, { from: trader, to, data })
  return {
    name: 'firstlight',
    output: async (message) => run(message).output,
    cpuMs: (message, count) =>
      ownCpuMs(() => {
        for (let i = 0; i < count; i++) run(message)
      }),
    stop() {},
  }
}

/** CPU time to execute all transfers as one block. */
export function ownTransfersCpuMs(): Promise<number> {
  return ownCpuMs(() => {
    const world = new WorldState(state)
    for (const transfer of transfers) {
      const execution = executeTransaction(world, block, transfer)
      if (execution.type === 'refused' || !execution.succeeded) throw new Error('a transfer failed')
    }
  })
}
