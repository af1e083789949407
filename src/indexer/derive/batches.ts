// Groups blocks into batches; each batch is written in one transaction.
import type { NodeBlock } from '../../upstream/node/node-block.ts'

/** A batch ends with the block that reaches one of the two limits. */
export type BatchLimit = { readonly blocks: number; readonly logsAndTransactions: number }

export const USUAL_BATCH: BatchLimit = { blocks: 100, logsAndTransactions: 10_000 }
/** For a reorg: readers should see the old branch replaced in one transaction. */
export const DEEP_BATCH: BatchLimit = { blocks: 1_024, logsAndTransactions: 100_000 }

export async function* batched(
  blocks: AsyncIterable<NodeBlock>,
  limit: BatchLimit,
): AsyncGenerator<readonly NodeBlock[], undefined> {
  let batch: NodeBlock[] = []
  let weight = 0
  for await (const block of blocks) {
    batch.push(block)
    weight += block.transactions.length
    for (const { receipt } of block.receipts) weight += receipt.logs.length
    if (batch.length < limit.blocks && weight < limit.logsAndTransactions) continue
    yield batch
    batch = []
    weight = 0
  }
  if (batch.length > 0) yield batch
}
