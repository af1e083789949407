// trace_*: Parity's flat traces.
import { z } from 'zod'
import { bytesToHex, type Hex } from '../../../src/chain/bytes/hex.ts'
import type { PausableRun } from '../../../src/evm/core/pausable-run.ts'
import { toParityTraces } from '../../../src/evm/tracers/parity-trace.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { executingMethod } from '../method.ts'
import { hash, requiredBlock } from '../params.ts'
import { type ReplayedTransaction, recordCalls, replayBlock, replayOne } from '../tracing.ts'

const kinds = z.array(z.literal('trace', 'must be trace: there is no stateDiff and no vmTrace'))

export const traceMethods = {
  trace_block: executingMethod({ block: requiredBlock }, function* (chain, args) {
    const block = findBlock(chain, args.block)
    if (block === null) return null
    if (block.header.number === 0) return []
    const traces: LocatedTrace[] = []
    for (const replayed of replayBlock(chain, block)) {
      traces.push(...(yield* locatedTraces(block, replayed)))
      yield
    }
    return traces
  }),
  trace_transaction: executingMethod({ hash }, function* (chain, args) {
    const found = chain.transaction(args.hash)
    if (found === null || found.type === 'waiting') return null
    return yield* locatedTraces(found.block, replayOne(chain, found.block, found.index))
  }),
  trace_replayBlockTransactions: executingMethod({ block: requiredBlock, kinds }, function* (chain, args) {
    const block = findBlock(chain, args.block)
    if (block === null) return null
    if (block.header.number === 0) return []
    const results: unknown[] = []
    for (const { world, traceable, index } of replayBlock(chain, block)) {
      const { root } = yield* recordCalls(world, traceable)
      results.push({
        output: bytesToHex(root.output),
        stateDiff: null,
        trace: toParityTraces(root),
        transactionHash: block.transactions[index]!.recovered.hash,
        vmTrace: null,
      })
      yield
    }
    return results
  }),
}

type LocatedTrace = ReturnType<typeof toParityTraces>[number] & {
  readonly blockHash: Hex
  readonly blockNumber: number
  readonly transactionHash: Hex
  readonly transactionPosition: number
}

function* locatedTraces(block: ChainBlock, replayed: ReplayedTransaction): PausableRun<LocatedTrace[]> {
  const { world, traceable, index } = replayed
  const { root } = yield* recordCalls(world, traceable)
  return toParityTraces(root).map((trace) => ({
    ...trace,
    blockHash: block.hash,
    blockNumber: block.header.number,
    transactionHash: block.transactions[index]!.recovered.hash,
    transactionPosition: index,
  }))
}
