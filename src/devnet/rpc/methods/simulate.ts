// eth_simulateV1, without the logs that would stand for transfers of Ether.
import { z } from 'zod'
import { bytesToHex } from '../../../chain/hex.ts'
import type { ExecutedMessage } from '../../../evm/execute-message.ts'
import { MAX_SIMULATED_BLOCKS } from '../../../evm/simulation.ts'
import { stateIsGone, stateOf } from '../block-lookup.ts'
import { blockWithHashes, blockWithTransactions, receiptAt } from '../block-view.ts'
import { callFailed } from '../failures.ts'
import { method } from '../method.ts'
import { block, blockOverrides, callObject, flag, stateOverrides } from '../params.ts'
import { type SimulatedBlock, simulate } from '../simulation.ts'

const MAX_CALLS = 5_000

const plan = z
  .object({
    blockOverrides: blockOverrides.nullish(),
    stateOverrides: stateOverrides.nullish(),
    calls: z.array(callObject).max(MAX_CALLS).nullish(),
  })
  .transform(({ blockOverrides, stateOverrides, calls }) => ({
    blockOverrides: blockOverrides ?? {},
    stateOverrides: stateOverrides ?? new Map(),
    calls: calls ?? [],
  }))

const simulation = z.object({
  blockStateCalls: z.array(plan).min(1, 'must not be empty').max(MAX_SIMULATED_BLOCKS, 'has too many blocks'),
  validation: flag.nullish(),
  traceTransfers: z.literal(false, 'is not offered').nullish(),
  returnFullTransactions: flag.nullish(),
})

export const simulateMethods = {
  eth_simulateV1: method({ simulation, block }, ({ chain }, args) => {
    const { block, at, source } = stateOf(chain, args.block)
    const trie = chain.trieAt(at)
    if (trie === null) throw stateIsGone(block)
    const { blockStateCalls, validation, returnFullTransactions } = args.simulation
    const isStrict = validation === true
    const baseFee = isStrict ? chain.nextBaseFee() : 0n
    const show = returnFullTransactions === true ? blockWithTransactions : blockWithHashes
    const start = { block, env: chain.envOf(block.header), source, trie, baseFee, isStrict }
    const blocks = simulate(start, blockStateCalls)
    return blocks.map((simulated) => ({ ...show(simulated.block), calls: callsOf(simulated) }))
  }),
}

function callsOf({ block, calls }: SimulatedBlock) {
  return calls.map(({ executed }, index) => {
    const { logs, gasUsed, status } = receiptAt(block, index)
    return { returnData: bytesToHex(executed.output), logs, gasUsed, maxUsedGas: gasUsed, status, ...errorOf(executed) }
  })
}

function errorOf({ failure, output }: ExecutedMessage) {
  if (failure === null) return {}
  const { code, message, data } = callFailed(failure, output)
  return failure.type === 'reverted' ? { error: { code, message, data } } : { error: { code: VM_ERROR, message } }
}

const VM_ERROR = -32015
