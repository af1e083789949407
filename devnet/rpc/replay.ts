// Transactions of the chain, run again to be traced.

import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { serverError } from '../../src/evm/call/call-failures.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import { unbegunCall } from '../../src/evm/tracers/call-recorder.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import type { DevnetChain } from '../chain/chain.ts'
import type { ChainBlock } from '../chain/included-transaction.ts'
import { stateIsGone } from './block-lookup.ts'
import type { Traceable } from './tracing.ts'

export type ReplayedTransaction = { readonly world: WorldState; readonly traceable: Traceable; readonly index: number }

/** Each is to be run before the next one is asked for. */
export function* replayBlock(chain: DevnetChain, block: ChainBlock): Generator<ReplayedTransaction> {
  if (block.header.number === 0) throw serverError('genesis is not traceable')
  const replay = chain.worldBefore(block, 0)
  if (replay === null) throw stateIsGone(block)
  let { gasUsedBefore } = replay
  for (const [index, { recovered, gasUsed }] of block.transactions.entries()) {
    yield { world: replay.world, traceable: traceableOf(recovered, replay.env, gasUsedBefore), index }
    gasUsedBefore += gasUsed
  }
}

export function replayOne(chain: DevnetChain, block: ChainBlock, index: number): ReplayedTransaction {
  const replay = chain.worldBefore(block, index)
  if (replay === null) throw stateIsGone(block)
  const { recovered } = block.transactions[index]!
  return { world: replay.world, traceable: traceableOf(recovered, replay.env, replay.gasUsedBefore), index }
}

function traceableOf(recovered: RecoveredTransaction, env: BlockEnv, gasUsedBefore: bigint): Traceable {
  return {
    gasLimit: recovered.transaction.gasLimit,
    unbegun: unbegunCall(recovered),
    run(world, tracer) {
      const execution = executeTransaction(world, env, recovered, { tracer, gasUsedBefore })
      if (execution.type === 'refused') throw new Error(`${recovered.hash} does not run again: ${execution.message}`)
      return { gasUsed: execution.gasUsed, failed: !execution.succeeded, output: execution.output }
    },
  }
}
