// Blocks, transactions and figures for open pages, as the index gets them; and before any block has them, the transactions of each
// flashblock. What is new is rendered once for all who look.
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import { createMutex } from '../../lib/async/semaphore.ts'
import { chainFigures, newestTransactions } from '../pages/chain.ts'
import { namesFor } from '../pages/mentions.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const NEWEST = '25'
/** Waiting to be told; of more the lists would not show the rest. */
const MOST_PROMISED = 1_000
const TRANSACTION_TOPICS = ['transactions', 'home-transactions']

type Newest = Awaited<ReturnType<typeof newestOf>>

export function createListUpdates({ source, rendering, chain, log }: UpdateSourceOptions): ChainUpdateSource {
  /** What each topic says of these; a new topic is one more line. */
  const renderers: Readonly<Record<string, (newest: Newest, shell: PageShell) => string>> = {
    blocks: ({ blocks }, shell) => rendering.renderUpdates.blocks(blocks, shell),
    transactions: ({ transactions }, shell) => rendering.renderUpdates.transactions(transactions, shell),
    'home-blocks': ({ blocks }, shell) => rendering.renderUpdates.homeBlocks(blocks, shell),
    'home-transactions': ({ transactions }, shell) => rendering.renderUpdates.homeTransactions(transactions, shell),
    figures: ({ figures }) => (figures ? rendering.renderUpdates.figures(figures) : ''),
  }
  const shellFor = async (newest: Newest): Promise<PageShell> => ({
    ...fragmentShell(chain),
    ...(await namesFor(source.answers, newest)),
  })
  const tell = async (live: Publisher, newest: Newest): Promise<void> => {
    const shell = await shellFor(newest)
    for (const [topic, render] of Object.entries(renderers)) {
      const html = live.isFollowed(topic) ? render(newest, shell) : ''
      if (html !== '') live.publish(topic, html)
    }
  }

  let known: Newest | undefined
  /** A row that a block has is not told as preconfirmed after that. */
  const inTurn = createMutex()
  const promised = new Set<string>()
  const tellPromised = async (live: Publisher): Promise<void> => {
    const hashes = [...promised]
    promised.clear()
    const transactions = await source.answers.preconfirmed(hashes)
    await tell(live, { blocks: [], transactions, figures: undefined })
  }

  return {
    topics: Object.keys(renderers).map((name) => new RegExp(`^${name}$`)),
    current: async (topic) => {
      const newest = await newestOf(source)
      return renderers[topic]?.(newest, await shellFor(newest))
    },
    onLedgerEvents: (live, events) => {
      if (promised.size > MOST_PROMISED || !TRANSACTION_TOPICS.some(live.isFollowed)) return
      const isUnderWay = promised.size > 0
      for (const event of events) {
        if (event.type === 'pending') for (const { hash } of event.rows) promised.add(hash)
        if (event.type === 'transaction' && event.record.droppedMs !== null) promised.add(event.record.hash)
      }
      if (isUnderWay || promised.size === 0) return
      inTurn(() => tellPromised(live)).catch((error: unknown) => log.warn({ error }, 'open pages missed a flashblock'))
    },
    onIndexChange: (live) =>
      inTurn(async () => {
        const newest = await newestOf(source)
        await tell(live, known ? sinceThen(known, newest) : newest)
        known = newest
      }),
  }
}

async function newestOf(source: UpdateSourceOptions['source']) {
  const [blocks, transactions, figures] = await Promise.all([
    source.ask('blockList', { limit: NEWEST }),
    newestTransactions(source, { limit: NEWEST }),
    chainFigures(source) as Promise<Awaited<ReturnType<typeof chainFigures>> | undefined>,
  ])
  return { blocks: blocks.data[0].blockList, transactions: transactions.transactionList, figures }
}

/** What was not there before, by hash: after a reorganisation that is also what took a known place. */
function sinceThen(known: Newest, newest: Newest): Newest {
  const blocks = new Set(known.blocks.map(({ hash }) => hash))
  const transactions = new Set(known.transactions.map(placeOf))
  return {
    blocks: newest.blocks.filter(({ hash }) => !blocks.has(hash)),
    transactions: newest.transactions.filter((each) => !transactions.has(placeOf(each))),
    figures: newest.figures,
  }
}

/** The block's hash changes with every flashblock that adds to it. */
function placeOf({ txid, stage, blockHash }: Newest['transactions'][number]): string {
  return stage === 'preconfirmed' ? `${txid} preconfirmed` : `${txid} ${blockHash}`
}
