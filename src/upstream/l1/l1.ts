// Asks L1 which transactions of a block sent deposits. Answers are cached. While L1 does not answer it is left alone for a while, and a
// caller gets undefined after a short time, while the request goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { fromQuantityToNumber, type Hex } from '../../chain/bytes/hex.ts'
import { depositSourceHash, TRANSACTION_DEPOSITED } from '../../chain/rules/deposits-on-l1.ts'
import type { Log } from '../../lib/log.ts'
import { createHttpTransport } from '../node/http-transport.ts'

/** Hashes of L1 transactions by the source hash of the deposit that each sent. */
type L1Deposits = ReadonlyMap<Hex, Hex>

export type L1 = {
  /** Undefined when L1 does not answer in time. */
  depositsIn(blockHash: Hex): Promise<L1Deposits | undefined>
  /** Grows with every answer that came when nobody waited any more. */
  lateAnswers(): number
  close(): void
}

const MAX_CACHED_BLOCKS = 1_000
const MOST_QUESTIONS = 16
const TIMEOUT_MS = 10_000
const ANSWER_TIMEOUT_MS = 1_000
const REST_MS = 5_000
const MAX_BYTES = 20_000_000

export function createL1({
  url,
  log,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
}: {
  url: string
  log: Log
  answerTimeoutMs?: number
}): L1 {
  const transport = createHttpTransport(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  const closing = new AbortController()
  const known = new LRUCache<Hex, L1Deposits>({ max: MAX_CACHED_BLOCKS })
  const asked = new Map<Hex, Promise<L1Deposits | undefined>>()
  /** Of the blocks asked for, those that somebody waited for in vain. */
  const givenUp = new Set<Hex>()
  let restsUntilMs = 0
  let late = 0

  const ask = async (blockHash: Hex): Promise<L1Deposits | undefined> => {
    try {
      const params = [{ blockHash, topics: [TRANSACTION_DEPOSITED] }]
      const [answer] = await transport.exchange([{ method: 'eth_getLogs', params }], closing.signal)
      if (answer?.type !== 'result') throw new Error(`eth_getLogs: ${answer?.message}`)
      const deposits = depositsFrom(answer.result, blockHash)
      known.set(blockHash, deposits)
      if (givenUp.has(blockHash)) late += 1
      return deposits
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ error }, 'L1 does not answer where deposits come from')
      restsUntilMs = performance.now() + REST_MS
      return undefined
    } finally {
      asked.delete(blockHash)
      givenUp.delete(blockHash)
    }
  }

  const answerTo = (blockHash: Hex): Promise<L1Deposits | undefined> | undefined => {
    const underWay = asked.get(blockHash)
    if (underWay) return underWay
    if (asked.size >= MOST_QUESTIONS || performance.now() < restsUntilMs || closing.signal.aborted) return undefined
    const answer = ask(blockHash)
    asked.set(blockHash, answer)
    return answer
  }

  return {
    async depositsIn(blockHash) {
      const cached = known.get(blockHash)
      if (cached) return cached
      const answer = answerTo(blockHash)
      if (!answer) return undefined
      const waited = new AbortController()
      const giveUp = () => {
        if (asked.has(blockHash)) givenUp.add(blockHash)
        return undefined
      }
      const tooLate = sleep(answerTimeoutMs, undefined, { signal: waited.signal }).then(giveUp, () => undefined)
      return Promise.race([answer, tooLate]).finally(() => waited.abort())
    },
    lateAnswers: () => late,
    close() {
      closing.abort()
      transport.close()
    },
  }
}

/** Logs that are not what a node sends are passed over, so their deposits stay unknown. */
function depositsFrom(logs: unknown, blockHash: Hex): L1Deposits {
  const deposits = new Map<Hex, Hex>()
  for (const log of Array.isArray(logs) ? (logs as readonly unknown[]) : []) {
    const { logIndex, transactionHash } = (log ?? {}) as { logIndex?: unknown; transactionHash?: unknown }
    if (typeof logIndex !== 'string' || !/^0x[0-9a-f]{1,8}$/.test(logIndex)) continue
    if (typeof transactionHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(transactionHash)) continue
    deposits.set(depositSourceHash(blockHash, fromQuantityToNumber(logIndex)), transactionHash as Hex)
  }
  return deposits
}
