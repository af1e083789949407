// The pages of the chain itself: home, blocks, transactions, accounts.
import type { BlockListTab, BlockTab } from '../../../web/pages/block.tsx'
import type { ChainFigures } from '../../../web/pages/home.tsx'
import { Failure } from '../../contract/failure.ts'
import { blockPreconfirmations, replayOf } from './flashblocks.ts'
import { oneOf, type PageLoader, TOKEN_KINDS, type Visit } from './visit.ts'

const HOME_ROWS = '12'
/** Some of them wait in a pool. */
const HOME_CANDIDATES = '50'
/** About twelve blocks of five flashblocks. */
export const STRIP_FLASHBLOCKS = 60
const PAGE_ROWS = '25'
/** Block time and transactions per second are averages over this many blocks. */
const PACE_BLOCKS = '100'

export const homePage: PageLoader = async (visit) => {
  const [blocks, transactions, figures, flashblocks] = await Promise.all([
    visit.ask('blockList', { limit: HOME_ROWS }),
    newestTransactions(visit, { limit: HOME_CANDIDATES }),
    chainFigures(visit),
    latestFlashblocks(visit),
  ])
  return {
    page: 'home',
    data: {
      blocks: blocks.data[0].blockList,
      transactions: withoutPool(transactions.transactionList).slice(0, Number(HOME_ROWS)),
      figures,
      flashblocks,
    },
  }
}

export async function latestFlashblocks({ ask }: Pick<Visit, 'ask'>) {
  return (await ask('flashblockList', { limit: String(STRIP_FLASHBLOCKS) })).data[0].flashblockList
}

/** Begins with transactions that are in no block yet. */
export async function newestTransactions(
  { ask }: Pick<Visit, 'ask'>,
  paging: { readonly page?: string | undefined; readonly limit: string },
) {
  return (await ask('transactionList', paging)).data[0]
}

/** The home page has room for few: only what is at least preconfirmed. */
export function withoutPool<T extends { readonly stage: string }>(transactions: readonly T[]): T[] {
  return transactions.filter(({ stage }) => stage !== 'seen')
}

export async function chainFigures({ ask, answers }: Pick<Visit, 'ask' | 'answers'>): Promise<ChainFigures> {
  const [{ heads }, pace] = await Promise.all([answers.heads(), paceOf({ ask })])
  const [block] = (await ask('blockFills', { height: String(heads.latest) })).data
  return {
    height: String(heads.latest),
    safe: heads.safe === null ? '' : String(heads.safe),
    finalized: heads.finalized === null ? '' : String(heads.finalized),
    blockTimeMs: pace ? String(Math.round(pace.blockTimeMs)) : '',
    transactionsPerSecond: pace ? pace.transactionsPerSecond.toFixed(1) : '',
    baseFee: block.baseFeePerGas,
  }
}

/** Averages over the last blocks; undefined where there are too few. */
async function paceOf({ ask }: Pick<Visit, 'ask'>) {
  const { blockList } = (await ask('blockList', { limit: PACE_BLOCKS })).data[0]
  const [newest] = blockList
  const oldest = blockList.at(-1)
  if (!newest || !oldest || newest === oldest) return undefined
  const spanMs = Number(newest.blockTime) - Number(oldest.blockTime)
  if (spanMs <= 0) return undefined
  const transactions = blockList.slice(0, -1).reduce((sum, { txnCount }) => sum + Number(txnCount), 0)
  return { blockTimeMs: spanMs / (blockList.length - 1), transactionsPerSecond: (1000 * transactions) / spanMs }
}

export const blocksPage: PageLoader = async ({ ask, query }) => ({
  page: 'blocks',
  data: (await ask('blockList', { page: query.page, limit: PAGE_ROWS })).data[0],
})

export const transactionsPage: PageLoader = async (visit) => ({
  page: 'transactions',
  data: await newestTransactions(visit, { page: visit.query.page, limit: PAGE_ROWS }),
})

export const unconfirmedPage: PageLoader = async ({ ask, query }) => ({
  page: 'unconfirmed',
  data: (await ask('unconfirmedTransactionList', { page: query.page, limit: PAGE_ROWS })).data[0],
})

export const largePage: PageLoader = async ({ ask, query }) => {
  const above = query.above ?? '100'
  const { data } = await ask('largeTransactionList', { type: above, page: query.page, limit: PAGE_ROWS })
  return { page: 'large', data: { above, list: data[0] } }
}

export const accountsPage: PageLoader = async ({ ask, query }) => ({
  page: 'accounts',
  data: (await ask('nativeTokenPositionList', { page: query.page, limit: PAGE_ROWS })).data[0],
})

const BLOCK_TABS = ['overview', 'txs', 'internal', 'transfers', 'flashblocks', 'diff'] as const satisfies BlockTab[]
const LIST_TABS: readonly BlockListTab[] = ['txs', 'internal', 'transfers']

export const blockPage: PageLoader = async (visit) => {
  const { ask, answers, params, query } = visit
  const asked = params.block!.toLowerCase()
  if (/^0x[0-9a-f]{64}$/.test(asked)) {
    const height = await answers.heightOfBlock(asked)
    if (height === undefined) throw new Failure('unknownHeight', `No block of the indexed chain has the hash ${asked}.`)
    return { redirect: `/block/${height}` }
  }
  const { heads } = await answers.heads()
  if (/^\d{1,10}$/.test(asked) && Number(asked) > heads.latest) return futureBlock(visit, Number(asked), heads.latest)
  const [block] = (await ask('blockFills', { height: asked })).data
  const tab = oneOf(BLOCK_TABS, query.tab)
  const listTab = LIST_TABS.find((each) => each === tab)
  const kind = oneOf(TOKEN_KINDS, query.kind)
  const height = Number(block.height)
  const preconfirmations = await blockPreconfirmations(visit, block.height)
  return {
    page: 'block',
    data: {
      block,
      stage: stageAt(heads, height),
      hasNext: height < heads.latest,
      tab,
      kind,
      list: listTab && { tab: listTab, page: await listOf(visit, block.height, { tab: listTab, kind }) },
      preconfirmations,
      replay: tab === 'flashblocks' ? await replayOf(visit, preconfirmations) : undefined,
    },
  }
}

const protocolTypes = { txs: 'transaction', internal: 'internal' } as const

async function listOf({ ask, query }: Visit, height: string, { tab, kind }: { tab: BlockListTab; kind: string }) {
  const protocolType = tab === 'transfers' ? kind : protocolTypes[tab]
  return (await ask('blockTransactionList', { height, protocolType, page: query.page, limit: PAGE_ROWS })).data[0]
}

function stageAt({ safe, finalized }: { safe: number | null; finalized: number | null }, height: number) {
  if (finalized !== null && height <= finalized) return 'finalized'
  return safe !== null && height <= safe ? 'safe' : 'included'
}

async function futureBlock({ ask }: Visit, height: number, latest: number): Promise<Awaited<ReturnType<PageLoader>>> {
  const pace = await paceOf({ ask })
  const expectedMs = pace ? String(Math.round(Date.now() + (height - latest) * pace.blockTimeMs)) : ''
  return { page: 'futureBlock', data: { height, latest, expectedMs } }
}
