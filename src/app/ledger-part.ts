// The ledger of preconfirmations as a part of a server: a mirror in this thread that answers, and a worker that saves. Nobody waits for
// saving; records that cannot be saved are held within a bound, and beyond it they are dropped and counted.
import { LATENCY_NAMES, type LatencyName, type PreconfirmationFigures } from '../chain/preconfirmations/figures.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import type { Metrics } from '../lib/metrics.ts'
import { largestIn, quantileOf } from '../lib/numbers/histogram.ts'
import { startWorker } from '../lib/thread/start-worker.ts'
import type { LedgerEvent } from '../preconfirmations/ledger.ts'
import { createLedgerMirror, type LedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import type { LedgerWorker } from '../preconfirmations/saving-thread.ts'
import { createUnsaved, type UnsavedBatch } from '../preconfirmations/unsaved.ts'
import type { ServerContext } from './context.ts'

export type Ledger = {
  readonly mirror: LedgerMirror
  take(events: readonly LedgerEvent[]): void
  /** For /status: the last hour of this process. */
  figures(): Record<string, unknown>
}

const SAVE_EVERY_MS = 1_000
const HOUR_MS = 3_600_000

/** Of all processes that share a database only one saves. */
export function ledgerPart(
  { config, metrics, log }: Pick<ServerContext, 'config' | 'metrics' | 'log'>,
  { saves }: { readonly saves: boolean },
): Part<Ledger & { stop(): Promise<void> | undefined }> {
  return {
    name: 'ledger',
    start: () => {
      const mirror = createLedgerMirror()
      const unsaved = createUnsaved()
      addLedgerMetrics(metrics, mirror)
      metrics.gauge('firstlight_account_unsaved', 'Records that wait to be saved', () => unsaved.size)
      metrics.counted(
        'firstlight_account_lost_total',
        'Records that were never saved because the database was down for too long',
        () => unsaved.lost,
      )
      let problem: string | null = null
      const onProblem = (reason: string | null): void => {
        if (reason !== null && problem === null) log.warn({ reason }, 'preconfirmations are not saved')
        problem = reason
      }
      const input = {
        databaseUrl: config.DATABASE_URL,
        dataDir: config.DATA_DIR,
        retentionMs: config.PRECONFIRMATION_KEEP_HOURS * HOUR_MS,
      }
      const saving = saves ? startSaving(input, unsaved, onProblem) : undefined
      return {
        mirror,
        take(events) {
          mirror.take(events)
          if (saves) unsaved.take(events)
        },
        figures: () => ({
          ...statusFigures(mirror.figures(HOUR_MS, Date.now())),
          unsaved: unsaved.size,
          lost: unsaved.lost,
          trouble: problem,
        }),
        stop: () => saving?.stop(),
      }
    },
    stop: (ledger) => ledger.stop(),
  }
}

type Saving = { stop(): Promise<void> }

function startSaving(
  input: LedgerWorker['input'],
  unsaved: ReturnType<typeof createUnsaved>,
  onProblem: (reason: string | null) => void,
): Saving {
  /** The batch that the worker has received and not saved yet. */
  let sent: UnsavedBatch | null = null
  let hasEnded = false
  const worker = startWorker<LedgerWorker>({
    name: 'ledger',
    file: new URL('../preconfirmations/saving-thread.ts', import.meta.url),
    input,
    onMessage: (message) => {
      if (message.type === 'failed' && sent !== null) unsaved.putBack(sent)
      sent = null
      onProblem(message.type === 'failed' ? message.reason : null)
    },
    // The server goes on: a ledger that is not saved is no reason to end the process.
    onDeath: (cause) => {
      hasEnded = true
      onProblem(cause.message)
    },
  })
  const save = (): void => {
    if (sent !== null || hasEnded) return
    sent = unsaved.batch()
    if (sent !== null) worker.post({ type: 'save', batch: sent })
  }
  const timer = setInterval(save, SAVE_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      if (hasEnded) return
      // The worker saves one batch after the other, so the rest can be posted without waiting.
      const rest = unsaved.batch()
      if (rest !== null) worker.post({ type: 'save', batch: rest })
      await worker.stop()
    },
  }
}

const QUANTILES = [0.5, 0.95, 0.99]

/** Figures for /status, with times as quantiles. */
function statusFigures(figures: PreconfirmationFigures): Record<string, unknown> {
  return {
    ...figures,
    ...Object.fromEntries(
      LATENCY_NAMES.map((name) => [
        name,
        Object.fromEntries(QUANTILES.map((share) => [`p${share * 100}Ms`, quantileOf(figures[name], share)])),
      ]),
    ),
  }
}

function addLedgerMetrics(metrics: Metrics, mirror: LedgerMirror): void {
  const histograms = LATENCY_NAMES.map((name) => ({
    name,
    histogram: metrics.histogram(
      `firstlight_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_seconds`,
      HELP[name],
      [],
      [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30],
    ),
  }))
  const counts = { missing: 0, unannounced: 0 }
  mirror.on((events) => {
    for (const event of events) {
      if (event.type !== 'block') continue
      const { figures } = event.record
      counts.missing += figures.missingFlashblocks
      counts.unannounced += figures.unannounced
      for (const { name, histogram } of histograms) {
        for (const [bucket, count] of Object.entries(figures[name])) {
          for (let i = 0; i < count; i++) histogram.observe(largestIn(Number(bucket)) / 1000)
        }
      }
    }
  })
  metrics.counted('firstlight_flashblocks_missing_total', 'Flashblocks that never arrived', () => counts.missing)
  metrics.counted(
    'firstlight_unannounced_transactions_total',
    'Transactions sealed without having been preconfirmed',
    () => counts.unannounced,
  )
  metrics.gauge(
    'firstlight_feed_longest_silence_seconds',
    'Longest time without a flashblock in the last hour',
    () => mirror.figures(HOUR_MS, Date.now()).silenceMs / 1000,
  )
}

const HELP: Record<LatencyName, string> = {
  seenToPreconfirmed: 'From our RPC to a flashblock',
  preconfirmedToIncluded: 'From a flashblock to the sealed block',
  seenToIncluded: 'From our RPC to the sealed block',
}
