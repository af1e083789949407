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
import { blockTransactions } from '../store/read/transactions.ts'
import { blockTransfers } from '../store/read/transfers.ts'
import type { BlockRow } from '../store/schema/rows.ts'
import { positionList, singleList } from './lists/lists.ts'
import { emptyList, type List, type PageWish, pageOf, WINDOW } from './lists/paging.ts'
import { recordsOf } from './lists/records-of.ts'
import { blockDetail, blockListItem } from './records/block-record.ts'
import { blockInternalRecord } from './records/internal-record.ts'
import { kindFrom } from './records/parts.ts'
import { blockTransactionRecord } from './records/transaction-record.ts'
import { blockTransferRecord } from './records/transfer-record.ts'
import { type AnswerTo, type ChainNow, chainNamesOf } from './state/chain-now.ts'

export const blockList: AnswerTo<'blockList'> = async (now, { height, ...wish }) => {
  const list = height === undefined ? allBlocks(now) : singleList('blocks', await storedBlock(now, height))
  const { rows, paging } = await pageOf(list, wish)
  return { data: [{ ...paging, ...chainNamesOf(now), blockList: rows.map((row) => blockListItem(now, row)) }] }
}

export const blockFills: AnswerTo<'blockFills'> = async (now, { height }) => ({
  data: [blockDetail(now, await storedBlock(now, height))],
})

export const blockTransactionList: AnswerTo<'blockTransactionList'> = async (
  now,
  { height, protocolType, ...wish },
) => {
  const block = await storedBlock(now, height)
  const { paging, records } = await recordsOfBlock(now, block, protocolType, wish)
  return { data: [{ ...paging, ...chainNamesOf(now), blockList: records }] }
}

export const blockHeightByTime: AnswerTo<'blockHeightByTime'> = async ({ queries }, { time, closest }) => {
  const block = await (closest === 'before' ? lastBlockAtTime : firstBlockSinceTime)(queries, time)
  if (!block) throw new Failure('unknownHeight', `No block is ${closest} ${time}.`)
  return { data: [{ height: String(block.height), blockTime: String(block.timestampMs) }] }
}

/** The block, or the refusal that there is none. */
export async function storedBlock({ queries }: ChainNow, height: number): Promise<BlockRow> {
  const block = await blockAt(queries, height)
  if (!block) throw new Failure('unknownHeight', `No data is displayed for this block height: ${height}.`)
  return block
}

function allBlocks({ queries }: ChainNow): List<BlockRow> {
  return {
    name: 'blocks',
    window: WINDOW,
    rows: (slice) =>
      blocksNewestFirst(queries, 'after' in slice ? { limit: slice.limit, beyond: Number(slice.after[0]) } : slice),
    count: () => countBlocks(queries, WINDOW),
    keyShape: ['position'],
    keyOf: ({ height }) => [height],
  }
}

async function recordsOfBlock(now: ChainNow, block: BlockRow, protocolType: string, wish: PageWish) {
  const { queries } = now
  const { height } = block
  if (protocolType === 'transaction') {
    const list = positionList('block-transactions', (page) => blockTransactions(queries, { height }, page), {
      count: async () => block.transactionCount,
    })
    const { rows, paging } = await pageOf(list, wish)
    return { paging, records: await recordsOf(now, rows, blockTransactionRecord) }
  }
  if (protocolType === 'internal') {
    const list = positionList('block-internals', (page) => blockInternals(queries, { height }, page), {
      count: async () => block.internalCount ?? 0,
    })
    const { rows, paging } = await pageOf(list, wish)
    return { paging, records: await recordsOf(now, rows, blockInternalRecord) }
  }
  const kind = kindFrom(protocolType)
  if (kind === undefined) return { paging: (await pageOf(emptyList(), wish)).paging, records: [] }
  const list = positionList('block-transfers', (page) => blockTransfers(queries, { height, kind }, page), {
    count: async () => block[`token${kind}Count`],
  })
  const { rows, paging } = await pageOf(list, wish)
  return { paging, records: await recordsOf(now, rows, blockTransferRecord) }
}
