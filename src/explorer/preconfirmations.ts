// The sisters of E20: preconfirmations and what became of them. The ledger's mirror has the newest, the store has older ones, and of
// those that are older still only the location in the chain is known.
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
import { pageOf, positionList, WINDOW } from './lists/paging.ts'
import {
  blockLedgerRecord,
  flashblockRecord,
  includedRecord,
  qualityRecord,
  transactionLedgerRecord,
} from './records/preconfirmation-record.ts'
import { type ChainContext, chainNamesOf, type ExplorerOptions, openChain } from './state/chain-context.ts'

type PreconfirmationHandlers = Pick<
  Handlers,
  | 'preconfirmationQuality'
  | 'preconfirmationTransaction'
  | 'preconfirmationBlock'
  | 'flashblockList'
  | 'flashblockDetail'
>

/** The answer adds up some hundred sums, so it is computed once in this time. */
const QUALITY_TTL_MS = 2_000

const decompress = promisify(brotliDecompress)

export function createPreconfirmationHandlers(options: ExplorerOptions): PreconfirmationHandlers {
  const { ledger } = options
  let cached: { untilMs: number; answer: Promise<ReturnType<typeof qualityRecord>[]> } | undefined

  const quality = async ({ reader }: ChainContext, nowMs: number) =>
    (await preconfirmationWindows(reader, nowMs)).map(({ window, figures }) => qualityRecord(window, figures))

  /** The record of the mirror, completed from the store: after a restart the preconfirmation may be older than the mirror. */
  const recordOf = async ({ reader }: ChainContext, hash: Hex): Promise<TransactionRecord | undefined> => {
    const known = ledger?.stagesOf(hash)?.record
    if (known?.preconfirmation) return known
    const stored = await preconfirmedTransaction(reader, hash)
    if (!known || !stored) return known ?? stored
    const { seenMs, seenBy, preconfirmation, verdict } = stored
    return { ...known, seenMs, seenBy, ...(preconfirmation !== null && { preconfirmation, verdict }) }
  }

  const timesAt = async ({ reader }: ChainContext, height: number) => {
    const block = await preconfirmedBlock(reader, height)
    return { safeMs: block?.safeMs ?? null, finalizedMs: block?.finalizedMs ?? null }
  }

  return {
    preconfirmationQuality: async () => {
      const { chain } = await openChain(options)
      const nowMs = Date.now()
      if (!cached || cached.untilMs < nowMs) {
        const answer = quality(chain, nowMs)
        cached = { untilMs: nowMs + QUALITY_TTL_MS, answer }
        // A failure may pass; the next request tries again.
        answer.catch(() => {
          cached = undefined
        })
      }
      return { data: await cached.answer }
    },
    preconfirmationTransaction: async ({ txId }) => {
      const { chain } = await openChain(options)
      const hash = txId
      const [record, [indexed]] = await Promise.all([recordOf(chain, hash), transactionsByHash(chain.reader, [hash])])
      const tags = ledger?.tags()
      const heads = { safe: tags?.safe ?? chain.heads.safe, finalized: tags?.finalized ?? chain.heads.finalized }
      if (record && (record.inclusion !== null || !indexed)) {
        const fresh = ledger?.stagesOf(hash)
        const stored = record.inclusion && (await timesAt(chain, record.inclusion.height))
        const times = {
          safeMs: fresh?.safeMs ?? stored?.safeMs ?? null,
          finalizedMs: fresh?.finalizedMs ?? stored?.finalizedMs ?? null,
        }
        const stage = isOverdue(record, chain) ? 'dropped' : stageOf(record, heads)
        return { data: [transactionLedgerRecord(record, { stage, ...times })] }
      }
      if (!indexed) return { data: [] }
      const location = { ...indexed.block, position: indexOf(indexed.pos) }
      const isBeingCompared = ledger !== undefined && isYetToCompare(ledger, hash, location.height)
      const times = await timesAt(chain, location.height)
      return { data: [includedRecord(record, { hash, location, heads, isBeingCompared, ...times })] }
    },
    preconfirmationBlock: async ({ height }) => {
      const { chain } = await openChain(options)
      const [stored, flashblocks] = await Promise.all([
        preconfirmedBlock(chain.reader, height),
        flashblocksOfHeight(chain.reader, height),
      ])
      const fresh = ledger?.block(height)
      const block = fresh && fresh.hash !== stored?.hash ? { ...fresh, safeMs: null, finalizedMs: null } : stored
      if (!block && flashblocks.length === 0) return { data: [] }
      return { data: [blockLedgerRecord(height, block, flashblocks)] }
    },
    flashblockList: async (request) => {
      const { chain } = await openChain(options)
      const list = positionList('flashblocks', (page) => flashblockList(chain.reader, page), {
        count: () => countFlashblocks(chain.reader, WINDOW),
        window: WINDOW,
      })
      const { rows, paging } = await pageOf(list, request)
      return { data: [{ ...paging, ...chainNamesOf(chain), flashblockList: rows.map(flashblockRecord) }] }
    },
    flashblockDetail: async ({ height, index }) => {
      const { chain } = await openChain(options)
      const found = (await flashblocksOfHeight(chain.reader, height)).findLast((each) => each.index === index)
      const message = found && (await flashblockMessage(chain.reader, found.pos))
      if (!found || !message) return { data: [] }
      return { data: [{ ...flashblockRecord(found), message: (await decompress(message)).toString() }] }
    },
  }
}

/** The ledger has the preconfirmation, and neither the indexed block nor the next one: it never compares a block that it missed. */
export function isYetToCompare(ledger: Pick<LedgerMirror, 'stagesOf' | 'block'>, hash: Hex, height: number): boolean {
  const record = ledger.stagesOf(hash)?.record
  if (!record?.preconfirmation || record.inclusion !== null) return false
  return ledger.block(height) === null && ledger.block(height + 1) === null
}

/** Preconfirmed for a block that is stored without it: the ledger was not running when the block came. */
function isOverdue({ inclusion, preconfirmation }: TransactionRecord, { heads }: ChainContext): boolean {
  return inclusion === null && preconfirmation !== null && preconfirmation.height <= heads.latest
}
