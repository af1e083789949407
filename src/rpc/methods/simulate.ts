// eth_simulateV1 on what is preconfirmed, without the logs that would stand for transfers of Ether; elsewhere it is the node's.
import { ETHEREUM_BASE_FEE, nextBaseFee, OP_BASE_FEE } from '../../chain/base-fee.ts'
import { bytesToHex } from '../../chain/hex.ts'
import { blockToRpc, receiptToRpc, transactionToRpc } from '../../chain/rpc-view.ts'
import type { Simulation } from '../../contract/rpc-further.ts'
import type { CallObject } from '../../contract/rpc-params.ts'
import type { ExecutedMessage } from '../../evm/execute-message.ts'
import type { BlockEnv } from '../../evm/machine.ts'
import { type BlockPlan, type SimulatedBlock, simulationSlices } from '../../evm/simulation.ts'
import { callMessage, overriddenEnv, overridesOf } from '../call-message.ts'
import type { RpcHandlers } from '../dispatch.ts'
import { callFailed, invalidParams } from '../failures.ts'
import { runOnGround } from '../run-on-state.ts'
import { stateAt } from '../scope.ts'
import { askNode } from './calls.ts'

export const simulateMethods: Pick<RpcHandlers, 'eth_simulateV1'> = {
  async eth_simulateV1(scope, [simulation, block], raw) {
    const found = await stateAt(scope, block)
    if (found.type === 'node') return askNode(scope, 'eth_simulateV1', raw, found)
    const { blockStateCalls, validation, traceTransfers, returnFullTransactions } = simulation
    if (traceTransfers) throw invalidParams('traceTransfers is not offered on what is preconfirmed')
    const { state } = found
    const { header, hash } = state.block
    const isStrict = validation === true
    const { rules } = state.env
    const baseFee = isStrict ? nextBaseFee(header, rules, rules.op ? OP_BASE_FEE : ETHEREUM_BASE_FEE) : 0n
    const { gasCap } = scope.dependencies.limits
    const messageOf = (call: CallObject, env: BlockEnv) => callMessage(call, env, gasCap)
    const start = { header, hash, env: state.env, gasCap, baseFee, isStrict, messageOf }
    const plans = blockStateCalls.map(planOf)
    const blocks = await runOnGround(scope, state, (source) => simulationSlices(source, start, plans))
    return blocks.map((simulated) => viewOf(simulated, returnFullTransactions === true))
  },
}

const planOf = ({
  blockOverrides,
  stateOverrides,
  calls,
}: Simulation['blockStateCalls'][number]): BlockPlan<CallObject> => ({
  number: blockOverrides?.number,
  time: blockOverrides?.time,
  envOf: (env) => overriddenEnv(env, blockOverrides),
  stateOverrides: overridesOf(stateOverrides) ?? new Map(),
  calls: calls ?? [],
})

function viewOf(block: SimulatedBlock, full: boolean) {
  const { header, hash, size, calls } = block
  const transactions = calls.map(({ recovered }) => recovered)
  return {
    ...blockToRpc({
      header,
      hash,
      size,
      transactions: full
        ? transactions.map((recovered, index) => transactionToRpc(recovered, inclusionAt(block, index)))
        : transactions.map((recovered) => recovered.hash),
      withdrawals: [],
    }),
    calls: calls.map(({ recovered, outcome, executed }, index) => {
      const receipt = receiptToRpc(recovered, outcome.receipt, { ...outcome, ...inclusionAt(block, index) })
      const { logs, gasUsed, status } = receipt
      return {
        returnData: bytesToHex(executed.output),
        logs,
        gasUsed,
        maxUsedGas: gasUsed,
        status,
        ...errorOf(executed),
      }
    }),
  }
}

const inclusionAt = ({ header, hash }: SimulatedBlock, transactionIndex: number) => ({
  blockHash: hash,
  blockNumber: header.number,
  blockTimestamp: header.timestamp,
  transactionIndex,
  baseFeePerGas: header.baseFeePerGas ?? 0n,
})

function errorOf({ failure, output }: ExecutedMessage) {
  if (failure === null) return {}
  const { code, message, data } = callFailed(failure, output)
  return failure.type === 'reverted' ? { error: { code, message, data } } : { error: { code: VM_ERROR, message } }
}

const VM_ERROR = -32015
