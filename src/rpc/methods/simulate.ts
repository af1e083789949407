// eth_simulateV1 on what is preconfirmed; elsewhere it is the node's.
import { pausableSimulation } from '../../evm/call/simulation.ts'
import { simulatedWithHashes, simulatedWithTransactions } from '../../evm/call/simulation-view.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { runOnBaseState } from '../state/run-on-state.ts'
import { stateAt } from '../state/scope.ts'
import { askNode } from './calls.ts'

export const simulateMethods: Pick<RpcHandlers, 'eth_simulateV1'> = {
  async eth_simulateV1(scope, [simulation, block], raw) {
    const found = await stateAt(scope, block)
    if (found.type === 'node') return askNode(scope, 'eth_simulateV1', raw, found)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = simulation
    const { state } = found
    const start = {
      header: state.block.header,
      hash: state.block.hash,
      env: state.env,
      gasCap: scope.dependencies.limits.gasCap,
      isStrict: validation === true,
      showsTransfers: traceTransfers === true,
    }
    const blocks = await runOnBaseState(scope, state, (source) => pausableSimulation(source, start, blockStateCalls))
    return blocks.map(returnFullTransactions === true ? simulatedWithTransactions : simulatedWithHashes)
  },
}
