// The sisters of E20: what was promised and what became of it. The newest stands in the mirror of the account, what is older in the
// store, and what is older still has only its place in the chain.
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Hex } from '../chain/bytes/hex.ts'
import type { TransactionRecord } from '../chain/preconfirmations/record.ts'
import type { Handlers } from '../contract/endpoints.ts'
import type { LedgerMirror } from '../preconfirmations/ledger-mirror.ts'
import { stageOf } from '../preconfirmations/transaction-record.ts'
import { preconfirmationWindows, preconfirmedBlock, preconfirmedTransaction } from '../store/preconfirmations/read.ts'
import {
  countFlashblocks,
  flashblockList,
  flashblockMessage,
  flashblocksOfHeight,
} from '../store/preconfirmations/read-flashblocks.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { indexOf } from '../store/schema/position.ts'
import { positionList } from './lists/lists.ts'
import { pageOf, WINDOW } from './lists/paging.ts'
import {
  blockAccountRecord,
  flashblockRecord,
  includedRecord,
  qualityRecord,
  transactionAccountRecord,
} from './records/preconfirmation-record.ts'
import { type ChainNow, chainNamesOf, chainNow, type ExplorerOptions } from './state/chain-now.ts'

type PreconfirmationAnswers = Pick<
  Handlers,
  | 'preconfirmationQuality'
  | 'preconfirmationTransaction'
  | 'preconfirmationBlock'
  | 'flashblockList'
  | 'flashblockDetail'
>

/** Some hundred sums are added up for it. */
const QUALITY_KEPT_MS = 2_000

const decompress = promisify(brotliDecompress)

export function createPreconfirmationAnswers(options: ExplorerOptions): PreconfirmationAnswers {
  const { ledger } = options
  let kept: { untilMs: number; answer: Promise<ReturnType<typeof qualityRecord>[]> } | undefined

  const quality = async ({ queries }: ChainNow, nowMs: number) =>
    (await preconfirmationWindows(queries, nowMs)).map(({ window, figures }) => qualityRecord(window, figures))

  /** What the mirror knows, with what only the store still has: after a restart the promise may be older than the mirror. */
  const recordOf = async ({ queries }: ChainNow, hash: Hex): Promise<TransactionRecord | undefined> => {
    const known = ledger?.stagesOf(hash)?.record
    if (known?.preconfirmation) return known
    const stored = await preconfirmedTransaction(queries, hash)
    if (!known || !stored) return known ?? stored
    const { seenMs, seenBy, preconfirmation, verdict } = stored
    return { ...known, seenMs, seenBy, ...(preconfirmation !== null && { preconfirmation, verdict }) }
  }

  const timesAt = async ({ queries }: ChainNow, height: number) => {
    const block = await preconfirmedBlock(queries, height)
    return { safeMs: block?.safeMs ?? null, finalizedMs: block?.finalizedMs ?? null }
  }

  return {
    preconfirmationQuality: async () => {
      const { now } = await chainNow(options)
      const nowMs = Date.now()
      if (!kept || kept.untilMs < nowMs) {
        const answer = quality(now, nowMs)
        kept = { untilMs: nowMs + QUALITY_KEPT_MS, answer }
        // A failure may pass; the next request tries again.
        answer.catch(() => {
          kept = undefined
        })
      }
      return { data: await kept.answer }
    },
    preconfirmationTransaction: async ({ txId }) => {
      const { now } = await chainNow(options)
      const hash = txId as Hex
      const [record, [indexed]] = await Promise.all([recordOf(now, hash), transactionsByHash(now.queries, [hash])])
      const tags = ledger?.tags()
      const heads = { safe: tags?.safe ?? now.heads.safe, finalized: tags?.finalized ?? now.heads.finalized }
      if (record && (record.inclusion !== null || !indexed)) {
        const fresh = ledger?.stagesOf(hash)
        const stored = record.inclusion && (await timesAt(now, record.inclusion.height))
        const times = {
          safeMs: fresh?.safeMs ?? stored?.safeMs ?? null,
          finalizedMs: fresh?.finalizedMs ?? stored?.finalizedMs ?? null,
        }
        const stage = isOverdue(record, now) ? 'dropped' : stageOf(record, heads)
        return { data: [transactionAccountRecord(record, { stage, ...times })] }
      }
      if (!indexed) return { data: [] }
      const place = { ...indexed.block, position: indexOf(indexed.pos) }
      const isBeingCompared = ledger !== undefined && isYetToCompare(ledger, hash, place.height)
      const times = await timesAt(now, place.height)
      return { data: [includedRecord(record, { hash, place, heads, isBeingCompared, ...times })] }
    },
    preconfirmationBlock: async ({ height }) => {
      const { now } = await chainNow(options)
      const [stored, flashblocks] = await Promise.all([
        preconfirmedBlock(now.queries, height),
        flashblocksOfHeight(now.queries, height),
      ])
      const fresh = ledger?.block(height)
      const block = fresh && fresh.hash !== stored?.hash ? { ...fresh, safeMs: null, finalizedMs: null } : stored
      if (!block && flashblocks.length === 0) return { data: [] }
      return { data: [blockAccountRecord(height, block, flashblocks)] }
    },
    flashblockList: async (wish) => {
      const { now } = await chainNow(options)
      const list = positionList('flashblocks', (page) => flashblockList(now.queries, page), {
        count: () => countFlashblocks(now.queries, WINDOW),
        window: WINDOW,
      })
      const { rows, paging } = await pageOf(list, wish)
      return { data: [{ ...paging, ...chainNamesOf(now), flashblockList: rows.map(flashblockRecord) }] }
    },
    flashblockDetail: async ({ height, index }) => {
      const { now } = await chainNow(options)
      const found = (await flashblocksOfHeight(now.queries, height)).findLast((each) => each.index === index)
      const message = found && (await flashblockMessage(now.queries, found.pos))
      if (!found || !message) return { data: [] }
      return { data: [{ ...flashblockRecord(found), message: (await decompress(message)).toString() }] }
    },
  }
}

/** It has the promise but not the block that is in the index, nor any later one: a block that it has missed it will never compare. */
export function isYetToCompare(ledger: Pick<LedgerMirror, 'stagesOf' | 'block'>, hash: Hex, height: number): boolean {
  const record = ledger.stagesOf(hash)?.record
  if (!record?.preconfirmation || record.inclusion !== null) return false
  return ledger.block(height) === null && ledger.block(height + 1) === null
}

/** Promised for a block that is stored without it: the account was not there when the block came. */
function isOverdue({ inclusion, preconfirmation }: TransactionRecord, { heads }: ChainNow): boolean {
  return inclusion === null && preconfirmation !== null && preconfirmation.height <= heads.latest
}
