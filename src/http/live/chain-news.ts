// Blocks and transactions for open pages. While anyone looks, the index is asked for its version a few times a second; what is
// new since the last look is rendered once and handed on. Another process may write the index, hence asking.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame } from '../../../web/frame.ts'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { AccountMirror } from '../../flashblocks/account/mirror.ts'
import type { Log } from '../../lib/log.ts'
import type { Live, LiveMessage } from '../live.ts'
import { chainFigures, latestFlashblocks } from '../pages/chain.ts'
import { accountOf } from '../pages/transaction.ts'
import type { Visit } from '../pages/visit.ts'

const LOOK_EVERY_MS = 200
/** After a look that failed, and while nobody looks. */
const REST_MS = 1_000
const NEWEST = '25'
/** Transactions that are looked after at a time. */
const MOST_TRANSACTIONS = 500
const TRANSACTION = /^tx:0x[0-9a-f]{64}$/
const PREFIX = 'tx:'.length

type Newest = Awaited<ReturnType<typeof newestOf>>

export type ChainNews = {
  /** Patterns of the topics below, for `addLive`. */
  readonly topics: readonly RegExp[]
  readonly greeting: (topic: string) => Promise<LiveMessage | undefined>
  /** Looks and publishes until the signal fires. */
  readonly run: (live: Pick<Live, 'publish' | 'followed' | 'readers'>, signal: AbortSignal) => Promise<void>
}

export const createChainNews = (options: {
  source: Pick<Visit, 'ask' | 'answers'>
  rendering: typeof webRendering
  chain: Frame['chain']
  log: Log
  /** Preconfirmations as they come, where this process follows a feed. */
  account?: Pick<AccountMirror, 'on'> | undefined
}): ChainNews => {
  const { source, rendering, chain, log, account } = options
  const frame = (): Frame => ({ ...BLANK, chain, nowMs: Date.now() })

  /** What each topic says of these; a new topic is one more line. */
  const renderers: Readonly<Record<string, (newest: Newest) => string>> = {
    blocks: ({ blocks }) => rendering.renderNews.blocks(blocks, frame()),
    transactions: ({ transactions }) => rendering.renderNews.transactions(transactions, frame()),
    'home-blocks': ({ blocks }) => rendering.renderNews.homeBlocks(blocks, frame()),
    'home-transactions': ({ transactions }) => rendering.renderNews.homeTransactions(transactions, frame()),
    figures: ({ figures }) => rendering.renderNews.figures(figures),
    flashblocks: ({ flashblocks }) => rendering.renderNews.flashblocks(flashblocks),
    'flashblock-list': ({ flashblocks }) => rendering.renderNews.flashblockList(flashblocks, frame()),
  }
  const messageOf = (topic: string, newest: Newest): LiveMessage | undefined => {
    const html = renderers[topic]?.(newest)
    return html ? { html, height: Number(newest.figures.height) } : undefined
  }

  const timelineOf = async (hash: string): Promise<LiveMessage & { stage: string }> => {
    const [account, found] = await Promise.all([
      accountOf(source, hash),
      source.ask('transactionMulti', { txId: hash }),
    ])
    const inclusion = found.data[0]
    const html = rendering.renderNews.timeline({ hash, account, inclusion, frame: { ...frame(), nowMs: 0 } })
    return { html, height: 0, stage: account?.stage || inclusion?.stage || '' }
  }

  /** What was last said of each transaction that somebody looks at. */
  const told = new Map<string, { html: string; stage: string }>()
  /** One that is in a block moves on with the chain only; one that is final never does. */
  const mayHaveMoved = (topic: string, hasChainMoved: boolean): boolean => {
    const stage = told.get(topic)?.stage ?? ''
    return stage !== 'finalized' && (hasChainMoved || !['included', 'safe'].includes(stage))
  }
  const tellTransactions = async (live: Pick<Live, 'publish' | 'followed'>, hasChainMoved: boolean): Promise<void> => {
    const topics = live.followed().filter((topic) => TRANSACTION.test(topic))
    for (const topic of told.keys()) if (!topics.includes(topic)) told.delete(topic)
    const moved = topics.filter((topic) => mayHaveMoved(topic, hasChainMoved)).slice(0, MOST_TRANSACTIONS)
    await Promise.all(
      moved.map(async (topic) => {
        const { stage, ...message } = await timelineOf(topic.slice(PREFIX))
        if (told.get(topic)?.html !== message.html) live.publish(topic, message)
        told.set(topic, { html: message.html, stage })
      }),
    )
  }

  return {
    topics: [...Object.keys(renderers).map((name) => new RegExp(`^${name}$`)), TRANSACTION],
    greeting: async (topic) =>
      TRANSACTION.test(topic) ? timelineOf(topic.slice(PREFIX)) : messageOf(topic, await newestOf(source)),
    run: async (live, signal) => {
      let version = ''
      let known: Newest | undefined
      let hasComplained = false
      let hurry = new AbortController()
      let early = AbortSignal.any([signal, hurry.signal])
      const end = account?.on((events) => {
        if (events.some((event) => event.type === 'transaction' && told.has(`tx:${event.record.hash}`))) hurry.abort()
      })
      while (!signal.aborted) {
        let isResting = live.readers === 0
        if (isResting) known = undefined
        else {
          try {
            const now = await source.answers.heads()
            const hasChainMoved = now.version !== version
            if (hasChainMoved) {
              const newest = await newestOf(source)
              const news = known ? sinceThen(known, newest) : newest
              for (const topic of Object.keys(renderers)) {
                const message = messageOf(topic, news)
                if (message) live.publish(topic, message)
              }
              version = now.version
              known = newest
            }
            await tellTransactions(live, hasChainMoved)
            hasComplained = false
          } catch (error) {
            isResting = true
            if (!hasComplained) log.warn({ error }, 'open pages get no news')
            hasComplained = true
          }
        }
        await sleep(isResting ? REST_MS : LOOK_EVERY_MS, undefined, { signal: early }).catch(() => undefined)
        if (!hurry.signal.aborted) continue
        hurry = new AbortController()
        early = AbortSignal.any([signal, hurry.signal])
      }
      end?.()
    },
  }
}

const newestOf = async (source: Pick<Visit, 'ask' | 'answers'>) => {
  const [blocks, transactions, figures, flashblocks] = await Promise.all([
    source.ask('blockList', { limit: NEWEST }),
    source.ask('transactionList', { limit: NEWEST }),
    chainFigures(source),
    latestFlashblocks(source),
  ])
  return { blocks: blocks.data[0].blockList, transactions: transactions.data[0].transactionList, figures, flashblocks }
}

/** What was not there before, by hash: after a reorganisation that is also what took a known place. */
const sinceThen = (known: Newest, newest: Newest): Newest => {
  const blocks = new Set(known.blocks.map(({ hash }) => hash))
  const transactions = new Set(known.transactions.map(({ txid, blockHash }) => txid + blockHash))
  return {
    blocks: newest.blocks.filter(({ hash }) => !blocks.has(hash)),
    transactions: newest.transactions.filter(({ txid, blockHash }) => !transactions.has(txid + blockHash)),
    figures: newest.figures,
    flashblocks: newest.flashblocks,
  }
}

/** Rows need no more of a frame: the browser writes their times. */
const BLANK = { path: '/', theme: 'system', clock: 'age', assets: { style: '', script: '' }, version: '' } as const
