// trace_*: Parity's flat traces.
import { z } from 'zod'
import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { toParityTraces } from '../../../src/evm/tracers/parity-trace.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { method } from '../method.ts'
import { hash, requiredBlock } from '../params.ts'
import { type ReplayedTransaction, recordCalls, replayBlock, replayOne } from '../tracing.ts'

const kinds = z.array(z.literal('trace', 'must be trace: there is no stateDiff and no vmTrace'))

export const traceMethods = {
  trace_block: method({ block: requiredBlock }, ({ chain }, args) => {
    const block = findBlock(chain, args.block)
    if (block === null) return null
    if (block.header.number === 0) return []
    return replayBlock(chain, block)
      .flatMap((replayed) => placedTraces(block, replayed))
      .toArray()
  }),
  trace_transaction: method({ hash }, ({ chain }, args) => {
    const found = chain.transaction(args.hash)
    if (found === null || found.type === 'waiting') return null
    return placedTraces(found.block, replayOne(chain, found.block, found.index))
  }),
  trace_replayBlockTransactions: method({ block: requiredBlock, kinds }, ({ chain }, args) => {
    const block = findBlock(chain, args.block)
    if (block === null) return null
    if (block.header.number === 0) return []
    const results: unknown[] = []
    for (const { world, traceable, index } of replayBlock(chain, block)) {
      const { root } = recordCalls(world, traceable)
      results.push({
        output: bytesToHex(root.output),
        stateDiff: null,
        trace: toParityTraces(root),
        transactionHash: block.transactions[index]!.recovered.hash,
        vmTrace: null,
      })
    }
    return results
  }),
}

function placedTraces(block: ChainBlock, { world, traceable, index }: ReplayedTransaction) {
  return toParityTraces(recordCalls(world, traceable).root).map((trace) => ({
    ...trace,
    blockHash: block.hash,
    blockNumber: block.header.number,
    transactionHash: block.transactions[index]!.recovered.hash,
    transactionPosition: index,
  }))
}
