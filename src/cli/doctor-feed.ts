// Listens to a feed for some seconds and reports its format, its rate, whether it is of the node's chain, and whether it is ahead of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { askNode } from '../app/node-check.ts'
import { transactionsRoot } from '../chain/codec/block.ts'
import { type Flashblock, flashblockHeader } from '../chain/codec/flashblock.ts'
import { type FlashblockMessage, feedMessageFrom } from '../contract/flashblock.ts'
import { withoutCredentials } from '../lib/log.ts'
import { jsonFromFrame, listen } from '../upstream/feed/connection.ts'
import { readFlashblock } from '../upstream/feed/read-flashblock.ts'

export type Finding = { state: 'ok' | 'warning' | 'failed'; what: string; advice?: string }

/** From the first frame on. */
const LISTEN_MS = 5_000
const TIMEOUT_MS = 15_000
const LIMITS = { handshakeMs: 5_000, pingMs: 2_000, silenceMs: LISTEN_MS, maxMessageBytes: 16 * 2 ** 20 }
const MAX_CLOCK_SKEW_S = 10
/** The node may need a moment to know the parent of the newest flashblock. */
const PARENT_ATTEMPTS = 10
const PARENT_PAUSE_MS = 300

type Received = {
  format: string
  message: FlashblockMessage
  flashblock: Flashblock
  atMs: number
  /** The node's height at that moment; null where there is no node to ask. */
  latest: Promise<number | null>
}

export async function feedFinding(url: string, nodeUrl: string | undefined): Promise<Finding> {
  const name = withoutCredentials(url)
  const { received, unreadable, reason } = await receive(url, nodeUrl)
  if (received.length === 0) {
    return {
      state: 'failed',
      what: `${name}: ${unreadable === null ? `no flashblock arrived (${reason})` : `cannot be read: ${unreadable}`}`,
      advice: 'check FLASHBLOCKS_URL; a feed sends flashblocks to every client that connects',
    }
  }
  const what = `${name}: ${received[0]!.format}, ${rateOf(received)}, receipts ${receiptsIn(received)}, ${hashCheck(received)}`
  const base = received.findLast(({ flashblock }) => flashblock.base !== null)
  if (base && nodeUrl && !(await knowsParent(nodeUrl, base.flashblock.base!.parentHash))) {
    return {
      state: 'failed',
      what: `${what}; its parent block is unknown to the node`,
      advice: 'FLASHBLOCKS_URL and RPC_URL must be of the same chain',
    }
  }
  const skewS = base ? Math.abs(base.atMs / 1000 - base.flashblock.base!.timestamp) : 0
  if (skewS > MAX_CLOCK_SKEW_S) {
    return {
      state: 'warning',
      what: `${what}; the times of its blocks differ from this clock by ${Math.round(skewS)} s`,
      advice: 'synchronise the clocks (NTP)',
    }
  }
  const ahead = await aheadOf(received)
  if (ahead === null) return { state: 'ok', what }
  return ahead.share > 0
    ? { state: 'ok', what: `${what}; ahead of the node in ${Math.round(ahead.share * 100)} % of its flashblocks` }
    : {
        state: 'warning',
        what: `${what}; never ahead of the node`,
        advice: 'use a feed that is closer to the sequencer',
      }
}

async function receive(url: string, nodeUrl: string | undefined) {
  const received: Received[] = []
  let unreadable: string | null = null
  const enough = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onFrame = (frame: Uint8Array): void => {
    timer ??= setTimeout(() => enough.abort(), LISTEN_MS)
    const read = readFrame(frame)
    if (typeof read === 'string') unreadable = read
    else if (read !== null) received.push({ ...read, atMs: Date.now(), latest: latestOf(nodeUrl) })
  }
  const until = AbortSignal.any([enough.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const reason = await listen({ url, limits: LIMITS, onOpen: () => {}, onFrame }, until)
  clearTimeout(timer)
  return { received, unreadable: unreadable as string | null, reason }
}

function readFrame(frame: Uint8Array): Pick<Received, 'format' | 'message' | 'flashblock'> | string | null {
  try {
    const json = jsonFromFrame(frame, LIMITS.maxMessageBytes)
    const message = feedMessageFrom(json)
    if (message.type === 'end') return null
    if (message.type === 'malformed') return message.reason
    const flashblock = readFlashblock(message.flashblock)
    if ('unreadable' in flashblock) return flashblock.unreadable
    return { format: formatOf(frame, json), message: message.flashblock, flashblock }
  } catch (error) {
    return (error as Error).message
  }
}

function formatOf(frame: Uint8Array, json: unknown): string {
  const packing = frame[0] === 0x7b ? 'plain JSON' : frame[0] === 0x1e ? 'brotli with a marker byte' : 'brotli'
  return typeof json === 'object' && json !== null && 'OpFlashblockPayload' in json ? `${packing}, wrapped` : packing
}

function rateOf(received: readonly Received[]): string {
  const seconds = (received.at(-1)!.atMs - received[0]!.atMs) / 1000
  return seconds > 0 ? `${((received.length - 1) / seconds).toFixed(1)} flashblocks a second` : 'one flashblock'
}

function receiptsIn(received: readonly Received[]): string {
  const withTransactions = received.filter(({ flashblock }) => flashblock.transactions.length > 0)
  if (withTransactions.length === 0) return 'not seen yet'
  return withTransactions.every(({ flashblock }) => flashblock.receipts !== null)
    ? 'included'
    : 'not included (transactions are executed locally)'
}

/** Only for index 0 all transactions of the block are known. */
function hashCheck(received: readonly Received[]): string {
  const first = received.find(({ flashblock }) => flashblock.base !== null)?.flashblock
  if (!first) return 'no first flashblock of a block seen'
  const root = transactionsRoot(first.transactions.map(({ raw }) => raw))
  return flashblockHeader(first.base!, first.totals, root).isProven
    ? 'block hashes are correct'
    : 'block hashes are wrong'
}

async function knowsParent(nodeUrl: string, hash: string): Promise<boolean> {
  for (let attempts = 0; attempts < PARENT_ATTEMPTS; attempts++) {
    if ((await askNode(nodeUrl, 'eth_getBlockByHash', [hash, false])) !== null) return true
    await sleep(PARENT_PAUSE_MS)
  }
  return false
}

async function latestOf(nodeUrl: string | undefined): Promise<number | null> {
  if (nodeUrl === undefined) return null
  return askNode(nodeUrl, 'eth_blockNumber').then(Number, () => null)
}

async function aheadOf(received: readonly Received[]): Promise<{ share: number } | null> {
  const heights = await Promise.all(
    received.map(async ({ flashblock, latest }) => [flashblock.height, await latest] as const),
  )
  const compared = heights.filter((each): each is readonly [number, number] => each[1] !== null)
  if (compared.length === 0) return null
  return { share: compared.filter(([height, latest]) => height > latest).length / compared.length }
}
