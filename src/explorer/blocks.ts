// E5, E6, E9 and the block at a time.
import { Failure } from '../contract/failure.ts'
import {
  blockAt,
  blockList as blocksNewestFirst,
  countBlocks,
  firstBlockSinceTime,
  lastBlockAtTime,
} from '../store/read/blocks.ts'
import { blockInternals } from '../store/read/internals.ts'
import { areCallsComplete } from '../store/read/trace-gaps.ts'
import { blockTransactions } from '../store/read/transactions.ts'
import { blockTransfers } from '../store/read/transfers.ts'
import type { BlockRow } from '../store/schema/rows.ts'
import {
  beforePending,
  emptyList,
  type List,
  type PageRequest,
  pageOf,
  positionList,
  singleList,
  WINDOW,
} from './lists/paging.ts'
import { pageAnswer, recordList, recordsOf } from './lists/records-of.ts'
import { transfersOf } from './pending-parts.ts'
import { preconfirmed } from './pending-transactions.ts'
import { blockDetail, blockListItem } from './records/block-record.ts'
import { kindFrom } from './records/parts.ts'
import type { ListedTransaction, PendingTransaction } from './records/transaction-record.ts'
import type { ListedTransfer } from './records/transfer-record.ts'
import { type AnswerTo, type ChainContext, chainNamesOf } from './state/chain-context.ts'

export const blockList: AnswerTo<'blockList'> = async (chain, { height, ...request }) => {
  const list = height === undefined ? allBlocks(chain) : singleList('blocks', await storedBlock(chain, height))
  const { rows, paging } = await pageOf(list, request)
  return { data: [{ ...paging, ...chainNamesOf(chain), blockList: rows.map((row) => blockListItem(chain, row)) }] }
}

export const blockFills: AnswerTo<'blockFills'> = async (chain, { height }) => {
  const [block, internalTransactionsComplete] = await Promise.all([
    storedBlock(chain, height),
    areCallsComplete(chain.reader, { from: height, to: height }),
  ])
  return { data: [{ ...blockDetail(chain, block), internalTransactionsComplete }] }
}

export const blockTransactionList: AnswerTo<'blockTransactionList'> = async (
  chain,
  { height, protocolType, ...request },
) => {
  const pending = pendingOfBlock(chain, height)
  const { paging, records, ...marks } =
    pending.length > 0
      ? await recordsOfPending(chain, pending, protocolType, request)
      : await recordsOfBlock(chain, await storedBlock(chain, height), protocolType, request)
  return pageAnswer({ ...paging, ...chainNamesOf(chain), ...marks }, { blockList: records })
}

/** Whether E6 shows a block that is not sealed yet. */
export function showsPendingBlock(chain: ChainContext, { height }: { readonly height: number }): boolean {
  return height > chain.heads.latest
}

/** The transactions of a block that is not indexed yet, as far as they are preconfirmed, in their order. */
export function pendingOfBlock(chain: ChainContext, height: number): PendingTransaction[] {
  if (height <= chain.heads.latest) return []
  return preconfirmed(chain)
    .filter(({ block }) => block.height === height)
    .toReversed()
}

/** Of its calls none are known before it is sealed. */
async function recordsOfPending(
  chain: ChainContext,
  rows: readonly PendingTransaction[],
  protocolType: string,
  request: PageRequest,
) {
  const none: List<never> = positionList('block-internals', async () => [], { count: async () => 0 })
  if (protocolType === 'transaction') {
    const list = { ...none, name: 'block-transactions', keyOf: ({ pos }: ListedTransaction) => [pos] }
    const page = await pageOf(beforePending<ListedTransaction>(list, rows), request)
    return { paging: page.paging, records: await recordsOf(chain, page.rows, 'blockTransaction') }
  }
  const kind = kindFrom(protocolType)
  if (kind === undefined) {
    const { paging } = await pageOf(none, request)
    const marks = protocolType === 'internal' ? { internalTransactionsComplete: false } : {}
    return { paging, records: recordList([]), ...marks }
  }
  const transfers = rows.flatMap(transfersOf).filter((transfer) => transfer.kind === kind)
  const list = { ...none, name: 'block-transfers', keyOf: ({ pos }: ListedTransfer) => [pos] }
  const page = await pageOf(beforePending<ListedTransfer>(list, transfers), request)
  return { paging: page.paging, records: await recordsOf(chain, page.rows, 'blockTransfer') }
}

export const blockHeightByTime: AnswerTo<'blockHeightByTime'> = async ({ reader }, { time, closest }) => {
  const block = await (closest === 'before' ? lastBlockAtTime : firstBlockSinceTime)(reader, time)
  if (!block) throw new Failure('unknownHeight', `No block is ${closest} ${time}.`)
  return { data: [{ height: String(block.height), blockTime: String(block.timestampMs) }] }
}

/** The block, or the refusal that there is none. */
export async function storedBlock({ reader }: ChainContext, height: number): Promise<BlockRow> {
  const block = await blockAt(reader, height)
  if (!block) throw new Failure('unknownHeight', `No data is displayed for this block height: ${height}.`)
  return block
}

function allBlocks({ reader }: ChainContext): List<BlockRow> {
  return {
    name: 'blocks',
    window: WINDOW,
    rows: (slice) =>
      blocksNewestFirst(reader, 'after' in slice ? { limit: slice.limit, beyond: Number(slice.after[0]) } : slice),
    count: () => countBlocks(reader, WINDOW),
    keyShape: ['position'],
    keyOf: ({ height }) => [height],
  }
}

async function recordsOfBlock(chain: ChainContext, block: BlockRow, protocolType: string, request: PageRequest) {
  const { reader } = chain
  const { height } = block
  if (protocolType === 'transaction') {
    const list = positionList('block-transactions', (page) => blockTransactions(reader, { height }, page), {
      count: async () => block.transactionCount,
    })
    const { rows, paging } = await pageOf(list, request)
    return { paging, records: await recordsOf(chain, rows, 'blockTransaction') }
  }
  if (protocolType === 'internal') {
    const list = positionList('block-internals', (page) => blockInternals(reader, { height }, page), {
      count: async () => block.internalCount ?? 0,
    })
    const { rows, paging } = await pageOf(list, request)
    const internalTransactionsComplete = await areCallsComplete(reader, { from: height, to: height })
    return { paging, records: await recordsOf(chain, rows, 'blockInternal'), internalTransactionsComplete }
  }
  const kind = kindFrom(protocolType)
  if (kind === undefined) return { paging: (await pageOf(emptyList(), request)).paging, records: recordList([]) }
  const list = positionList('block-transfers', (page) => blockTransfers(reader, { height, kind }, page), {
    count: async () => block[`token${kind}Count`],
  })
  const { rows, paging } = await pageOf(list, request)
  return { paging, records: await recordsOf(chain, rows, 'blockTransfer') }
}
