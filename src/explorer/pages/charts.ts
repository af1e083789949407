// What charts show: activity by minute, hour or day, and the price of gas. Whole hours that lie behind the finalized head are
// counted once and cached. A request counts for a limited time; the next one counts the hours that are left.
import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Activity, ActivityPoint, ChartSpan, GasPrices } from '../../contract/pages.ts'
import { blockList, firstBlockSinceTime } from '../../store/read/blocks.ts'
import { rangesStored } from '../../store/read/chain-state.ts'
import { type BlockSums, baseFeesAt, blockSums, countSenders, latestGasPrices } from '../../store/read/charts.ts'
import { heightOf } from '../../store/schema/position.ts'
import { nativeUnits } from '../records/parts.ts'
import { type ChainContext, type ExplorerOptions, openChain } from '../state/chain-context.ts'

export const spans = {
  minute: { periodMs: 60_000, periods: 60 },
  hour: { periodMs: 3_600_000, periods: 48 },
  day: { periodMs: 86_400_000, periods: 30 },
} as const satisfies Record<ChartSpan, { readonly periodMs: number; readonly periods: number }>

export type Charts = {
  readonly activity: (span: ChartSpan) => Promise<Activity>
  readonly gasNow: () => Promise<GasPrices>
}

const HOUR_MS = 3_600_000
const MAX_CACHED_HOURS = 31 * 24
const MAX_CACHED_SENDER_COUNTS = 200
const CACHE_MS = 3_000
/** What one request may spend on counting. */
const COUNT_MS = 250
/** Periods with more transactions than this have no count of senders. */
const MOST_TRANSACTIONS = 50_000
const GAS_BLOCKS = 120
const GAS_PRICES = 500

export function createCharts(options: ExplorerOptions): Charts {
  const wholeHours = new LRUCache<number, BlockSums>({ max: MAX_CACHED_HOURS })
  const senders = new LRUCache<string, number>({ max: MAX_CACHED_SENDER_COUNTS })

  /** The sums of hours, newest first, until the time is up or the chain begins. */
  const hoursBack = async (chain: ChainContext, fromMs: number): Promise<{ hours: BlockSums[]; isWhole: boolean }> => {
    const hours: BlockSums[] = []
    const giveUpMs = performance.now() + COUNT_MS
    const ranges = await rangesStored(chain.reader)
    const isStored = (first: number, last: number) =>
      ranges.some(({ firstHeight, lastHeight }) => firstHeight <= first && lastHeight >= last)
    for (let hour = Math.floor(chain.nowMs / HOUR_MS); hour * HOUR_MS >= fromMs; hour--) {
      const known = wholeHours.get(hour)
      if (known) {
        hours.push(known)
        continue
      }
      if (performance.now() > giveUpMs) return { hours, isWhole: false }
      const stretch = { fromMs: hour * HOUR_MS, toMs: (hour + 1) * HOUR_MS, periodMs: HOUR_MS }
      const [sums] = await blockSums(chain.reader, stretch)
      if (sums) {
        hours.push(sums)
        // Neighbours on both sides: nothing of this hour is missing.
        const isDone = sums.lastHeight < (chain.heads.finalized ?? -1)
        if (isDone && isStored(Math.max(0, sums.firstHeight - 1), sums.lastHeight + 1)) wholeHours.set(hour, sums)
      }
      // SQLite answers in this thread, so other requests must be able to run between two hours.
      await setImmediate()
    }
    return { hours, isWhole: true }
  }

  const sendersOf = async (chain: ChainContext, sums: BlockSums): Promise<number | null> => {
    if (sums.transactions > MOST_TRANSACTIONS) return null
    const isDone = sums.lastHeight < (chain.heads.finalized ?? -1)
    const name = `${sums.firstHeight} ${sums.lastHeight}`
    const known = isDone ? senders.get(name) : undefined
    if (known !== undefined) return known
    const count = await countSenders(chain.reader, { from: sums.firstHeight, to: sums.lastHeight })
    if (isDone) senders.set(name, count)
    await setImmediate()
    return count
  }

  const activity = async (span: ChartSpan): Promise<Activity> => {
    const { chain } = await openChain(options)
    const { periodMs, periods } = spans[span]
    const first = await firstBlockSinceTime(chain.reader, 0)
    const wantedMs = (Math.floor(chain.nowMs / periodMs) - periods + 1) * periodMs
    const fromMs = Math.max(wantedMs, Math.floor((first?.timestampMs ?? 0) / periodMs) * periodMs)
    const { sums, isWhole } =
      span === 'minute'
        ? { sums: await blockSums(chain.reader, { fromMs, toMs: chain.nowMs + 1, periodMs }), isWhole: true }
        : await hoursBack(chain, fromMs).then(({ hours, ...rest }) => ({ sums: joined(hours, periodMs), ...rest }))
    const fees = await baseFeesAt(
      chain.reader,
      sums.map(({ lastHeight }) => lastHeight),
    )
    const points: ActivityPoint[] = []
    for (const each of sums) {
      const fee = fees.get(each.lastHeight)
      points.push({
        startMs: each.period * periodMs,
        blocks: each.blocks,
        transactions: each.transactions,
        gasUsed: each.gasUsed,
        gasLimit: each.gasLimit,
        baseFee: fee === null || fee === undefined ? '' : nativeUnits(fee),
        senders: await sendersOf(chain, each),
      })
    }
    return { points, isWhole }
  }

  const gasNow = async (): Promise<GasPrices> => {
    const { chain } = await openChain(options)
    const rows = await blockList(chain.reader, { limit: GAS_BLOCKS })
    const baseFees = new Map(rows.map(({ height, baseFeePerGas }) => [height, baseFeePerGas ?? 0n]))
    const tips = (await latestGasPrices(chain.reader, GAS_PRICES))
      .map(({ pos, gasPrice }) => gasPrice - (baseFees.get(heightOf(pos)) ?? gasPrice + 1n))
      // Deposits pay no price, and of older blocks the base fee is not at hand.
      .filter((tip) => tip >= 0n)
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const part = (share: number) => nativeUnits(tips[Math.floor(share * (tips.length - 1))]!)
    return {
      blocks: rows.map((row) => ({
        height: String(row.height),
        timeMs: String(row.timestampMs),
        baseFee: row.baseFeePerGas === null ? '' : nativeUnits(row.baseFeePerGas),
        gasUsed: String(row.gasUsed),
        gasLimit: String(row.gasLimit),
      })),
      tips: tips.length === 0 ? undefined : { low: part(0.1), usual: part(0.5), high: part(0.9) },
    }
  }

  const cachedActivity = cachedFor(activity)
  const cachedGas = cachedFor(gasNow)
  return { activity: (span) => cachedActivity(span), gasNow: () => cachedGas('') }
}

/** Hours, newest first, as periods of one or many hours, oldest first. */
function joined(hours: readonly BlockSums[], periodMs: number): BlockSums[] {
  const periods = new Map<number, BlockSums>()
  for (const hour of hours.toReversed()) {
    const period = Math.floor((hour.period * HOUR_MS) / periodMs)
    const known = periods.get(period)
    periods.set(
      period,
      known
        ? {
            period,
            blocks: known.blocks + hour.blocks,
            firstHeight: known.firstHeight,
            lastHeight: hour.lastHeight,
            transactions: known.transactions + hour.transactions,
            gasUsed: known.gasUsed + hour.gasUsed,
            gasLimit: known.gasLimit + hour.gasLimit,
          }
        : { ...hour, period },
    )
  }
  return [...periods.values()]
}

/** The same answer for everybody who asks within a few seconds. */
function cachedFor<K extends string, A>(make: (name: K) => Promise<A>): (name: K) => Promise<A> {
  const cache = new Map<K, { atMs: number; answer: Promise<A> }>()
  return (name) => {
    const known = cache.get(name)
    if (known && performance.now() - known.atMs < CACHE_MS) return known.answer
    const answer = make(name)
    cache.set(name, { atMs: performance.now(), answer })
    answer.catch(() => cache.delete(name))
    return answer
  }
}
