// Blocks, transactions and figures for open pages as they are indexed, and the transactions of each flashblock before a block contains
// them. Each update is rendered once for all pages.
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import { createMutex } from '../../lib/async/semaphore.ts'
import { chainFigures, newestTransactions, withoutPool } from '../pages/chain.ts'
import { namesFor } from '../pages/mentions.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const NEWEST = '25'
/** Preconfirmed transactions that wait to be sent; a list does not show more. */
const MOST_PRECONFIRMED = 1_000
const TRANSACTION_TOPICS = ['transactions', 'home-transactions']

type Newest = Awaited<ReturnType<typeof newestOf>>

export function createListUpdates({ source, rendering, chain, log }: UpdateSourceOptions): ChainUpdateSource {
  /** Renders the rows of each topic; a new topic is one more line. */
  const renderers: Readonly<Record<string, (newest: Newest, shell: PageShell) => string>> = {
    blocks: ({ blocks }, shell) => rendering.renderUpdates.blocks(blocks, shell),
    transactions: ({ transactions }, shell) => rendering.renderUpdates.transactions(transactions, shell),
    'home-blocks': ({ blocks }, shell) => rendering.renderUpdates.homeBlocks(blocks, shell),
    'home-transactions': ({ transactions }, shell) =>
      rendering.renderUpdates.homeTransactions(withoutPool(transactions), shell),
    figures: ({ figures }) => (figures ? rendering.renderUpdates.figures(figures) : ''),
  }
  const shellFor = async (newest: Newest): Promise<PageShell> => ({
    ...fragmentShell(chain),
    ...(await namesFor(source.answers, newest)),
  })
  const publish = async (live: Publisher, newest: Newest): Promise<void> => {
    const shell = await shellFor(newest)
    for (const [topic, render] of Object.entries(renderers)) {
      const html = live.isFollowed(topic) ? render(newest, shell) : ''
      if (html !== '') live.publish(topic, html)
    }
  }

  let known: Newest | undefined
  /** One publication at a time, so that no row is sent as preconfirmed after its block was sent. */
  const oneAtATime = createMutex()
  const preconfirmed = new Set<string>()
  const publishPreconfirmed = async (live: Publisher): Promise<void> => {
    const hashes = [...preconfirmed]
    preconfirmed.clear()
    const transactions = await source.answers.preconfirmed(hashes)
    await publish(live, { blocks: [], transactions, figures: undefined })
  }

  return {
    topics: Object.keys(renderers).map((name) => new RegExp(`^${name}$`)),
    current: async (topic) => {
      const newest = await newestOf(source)
      return renderers[topic]?.(newest, await shellFor(newest))
    },
    onLedgerEvents: (live, events) => {
      if (preconfirmed.size > MOST_PRECONFIRMED || !TRANSACTION_TOPICS.some(live.isFollowed)) return
      const isRunning = preconfirmed.size > 0
      for (const event of events) {
        if (event.type === 'pending') for (const { hash } of event.rows) preconfirmed.add(hash)
        if (event.type === 'transaction' && event.record.droppedMs !== null) preconfirmed.add(event.record.hash)
      }
      if (isRunning || preconfirmed.size === 0) return
      oneAtATime(() => publishPreconfirmed(live)).catch((error: unknown) =>
        log.warn({ error }, 'live pages: sending preconfirmed transactions failed'),
      )
    },
    onIndexChange: (live) =>
      oneAtATime(async () => {
        const newest = await newestOf(source)
        await publish(live, known ? newSince(known, newest) : newest)
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

/** What is new by hash, which includes the blocks of a reorg. */
function newSince(known: Newest, newest: Newest): Newest {
  const blocks = new Set(known.blocks.map(({ hash }) => hash))
  const transactions = new Set(known.transactions.map(versionOf))
  return {
    blocks: newest.blocks.filter(({ hash }) => !blocks.has(hash)),
    transactions: newest.transactions.filter((each) => !transactions.has(versionOf(each))),
    figures: newest.figures,
  }
}

/** While a transaction is preconfirmed, the block hash changes with every flashblock, so it is left out. */
function versionOf({ txid, stage, blockHash }: Newest['transactions'][number]): string {
  return stage === 'preconfirmed' ? `${txid} preconfirmed` : `${txid} ${blockHash}`
}
