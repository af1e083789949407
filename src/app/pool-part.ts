// Transactions that wait in the node's pool, for answers, as a part of a server. The pool is read every second; what was sent through us
// or asked for is confirmed by its hash.
import { type Hex, hexToBytes } from '../chain/bytes/hex.ts'
import { recoverTransaction } from '../chain/codec/recovered-transaction.ts'
import { poolTransactionFrom } from '../chain/rpc/pool-transaction.ts'
import type { PendingPool } from '../explorer/state/chain-context.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import { sleep } from '../lib/async/wait.ts'
import type { LedgerEvent } from '../preconfirmations/ledger.ts'
import { createTransactionPool, type TransactionPool } from '../preconfirmations/transaction-pool.ts'
import { NodeUnavailable } from '../upstream/node/failures.ts'
import { createNode, type Node } from '../upstream/node/node.ts'
import { poolContent, poolTransactions } from '../upstream/node/pool-content.ts'
import type { ServerContext } from './context.ts'

/** Those that are confirmed by their hash. */
const CONFIRM_EVERY_MS = 1_000
/** A node that hides its pool or does not answer is asked less often. */
const HIDDEN_EVERY_MS = 10_000
const READ_TIMEOUT_MS = 5_000
/** An answer waits no longer for the node. */
const ANSWER_TIMEOUT_MS = 1_000
/** Transactions that are confirmed by their hash each time. */
const MOST_HASHES = 100
/** Another node behind the same URL may need a moment until it has what was sent to the first. */
const ARRIVAL_MS = 10_000

export type Pool = PendingPool & {
  take(events: readonly LedgerEvent[]): void
  readonly running: Promise<void>
}

export function poolPart({ config, metrics, log }: Pick<ServerContext, 'config' | 'metrics' | 'log'>): Part<Pool> {
  return {
    name: 'transaction pool',
    start: (signal) => {
      const pool = createTransactionPool()
      const common = { urls: config.RPC_URL!, log, wantsTraces: false }
      const node = createNode({ ...common, timeoutMs: READ_TIMEOUT_MS, giveUpAfterMs: READ_TIMEOUT_MS })
      metrics.gauge('firstlight_pool_transactions', 'Transactions that wait in the pool', () => pool.waiting().length)
      metrics.gauge('firstlight_pool_shown', '1 while the node shows its whole pool', () =>
        Number(pool.missing() === undefined),
      )
      const running = follow({ pool, node, everyMs: config.POOL_READ_MS }, signal).finally(() => node.close())
      return {
        ...pool,
        running,
        take(events) {
          for (const event of events) if (event.type === 'sent') takeSent(pool, event)
        },
        async find(hashes) {
          const found = await poolTransactions(node, hashes, AbortSignal.timeout(ANSWER_TIMEOUT_MS)).catch(ifSilent)
          for (const each of found ?? []) if (each.type === 'waiting') pool.add(each.transaction, Date.now())
          return found?.every(({ type }) => type !== 'unanswered') ?? false
        },
      }
    },
    stop: ({ running }) => running,
  }
}

type Following = { readonly pool: TransactionPool; readonly node: Node; readonly everyMs: number }

/** Until the signal ends. */
async function follow(following: Following, signal: AbortSignal): Promise<void> {
  const { pool, everyMs } = following
  while (!signal.aborted) {
    try {
      await readOnce(following, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    const pauseMs = pool.missing() === undefined ? everyMs : Math.max(everyMs, HIDDEN_EVERY_MS)
    await sleep(pool.addedAlone().length > 0 ? Math.min(pauseMs, CONFIRM_EVERY_MS) : pauseMs, signal).catch(
      () => undefined,
    )
  }
}

async function readOnce({ pool, node, everyMs }: Following, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)])
  pool.read(everyMs === 0 ? OFF : ((await poolContent(node, until).catch(ifSilent)) ?? SILENT), Date.now())
  const alone = pool.addedAlone().slice(0, MOST_HASHES)
  if (alone.length === 0 || signal.aborted) return
  const hashes = alone.map(({ hash }) => hash)
  const found = await poolTransactions(node, hashes, until).catch(ifSilent)
  const nowMs = Date.now()
  const gone = alone.filter(({ seenMs }, i) => {
    const type = found?.[i]?.type
    return type === 'included' || (type === 'unknown' && Math.abs(nowMs - seenMs) > ARRIVAL_MS)
  })
  pool.remove(gone.map(({ hash }) => hash))
}

const SILENT = { type: 'hidden', reason: 'the node does not answer' } as const
const OFF = { type: 'hidden', reason: 'the pool of the node is not read: POOL_READ_MS is 0' } as const

function takeSent(pool: TransactionPool, { raw, atMs }: { readonly raw: Hex; readonly atMs: number }): void {
  try {
    pool.add(poolTransactionFrom(recoverTransaction(hexToBytes(raw))), atMs)
  } catch {
    // Of a type that is not known here, or with blobs beside it: the node's pool shows it.
  }
}

function ifSilent(error: Error): undefined {
  const isSilent = error instanceof NodeUnavailable || error.name === 'TimeoutError' || error.name === 'AbortError'
  if (!isSilent) throw error
  return undefined
}
