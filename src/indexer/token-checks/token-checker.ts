// Compares tokens with their contracts, at the head and in the background: sums of events are the proposal, the contract's own answers the
// truth. A token whose sums do not hold is from then on read from its contract. The state of the work is in the store, so it can stop and
// start again at any point.
import type { Hex } from '../../chain/bytes/hex.ts'
import { sleep } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import { gapsIn } from '../../store/chain/ranges.ts'
import {
  postponeTokenChecks,
  setTokenTotal,
  type TokenReading,
  withdrawConfirmations,
  writeTokenReadings,
} from '../../store/chain/token-readings.ts'
import type { Database } from '../../store/engine/database.ts'
import { type BlockStamp, chainState, rangesStored } from '../../store/read/chain-state.ts'
import {
  addressesNamed,
  checkCounts,
  holdersToCompare,
  holdersToRead,
  itemsOfHolder,
  sumOfBalances,
  tokensDue,
} from '../../store/read/token-checks.ts'
import { type Token, tokensByAddress } from '../../store/read/tokens.ts'
import { isReadFromContract, type TokenCheckRow } from '../../store/schema/token-checks.ts'
import type { Node } from '../../upstream/node/node.ts'
import { contractAnswers } from './contract-answers.ts'
import { answerOf, callsFor } from './questions.ts'
import { type CheckedToken, readingOf } from './verdict.ts'

export type TokenCheckerOptions = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  readonly log: Log
  readonly startHeight: number
  /** Calls of contracts in a second, on average; 0 compares nothing. */
  readonly tokenReadsPerS: number
  /** Runs work during which no block is written. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  readonly onProgress: (progress: TokenCheckProgress) => void
}

export type TokenCheckProgress = {
  /** Tokens whose sums of events agreed with the contract when they were last compared. */
  readonly agreed: number
  /** Tokens that are read from their contract because the sums do not hold. */
  readonly readFromContract: number
  /** Tokens that were not compared yet, or whose contract does not answer. */
  readonly unconfirmed: number
  /** Tokens that are to be compared or read now; exact up to 10,000. */
  readonly waiting: number
}

/** Holders of a token that are compared with the contract each time; a token with no more holders is compared whole. */
const COMPARED_HOLDERS = 30
const COMPARED_ITEMS = 5
/** Balances of a token that are read from the contract at a time. */
const READ_HOLDERS = 100
const READ_ITEMS = 200
/** Transfers and calls of a token that are searched for holders at a time. */
const WALKED_ROWS = 500
const TOKENS_A_ROUND = 20
const CALLS_A_ROUND = 500
const MOST_SUMMED = 200_000
const IDLE_MS = 1_000
const FAILED_MS = 5_000
/** Until a token is asked again about which the node could not answer, so that the others have their turn. */
const UNANSWERED_MS = 30_000

/** Ends with the signal, never before. */
export async function checkTokens(options: TokenCheckerOptions, signal: AbortSignal): Promise<void> {
  if (options.tokenReadsPerS === 0) return
  while (!signal.aborted) {
    let waitMs = IDLE_MS
    try {
      const calls = await checkRound(options, signal)
      if (calls > 0) waitMs = (calls * 1000) / options.tokenReadsPerS
    } catch (error) {
      if (signal.aborted) return
      options.log.warn({ error }, 'token checks: failed, trying again')
      waitMs = FAILED_MS
    }
    await sleep(waitMs, signal).catch(() => undefined)
  }
}

/** Returns how many calls it made. */
async function checkRound(options: TokenCheckerOptions, signal: AbortSignal): Promise<number> {
  const { node, database, exclusively, onProgress } = options
  const snapshot = await exclusively(() => takeSnapshot(options))
  let made = 0
  if (snapshot !== undefined && snapshot.tokens.length > 0) {
    const { head, tokens } = snapshot
    const calls = tokens.map(callsFor)
    made = calls.flat().length
    const answers = await contractAnswers({ node, signal }, head, calls.flat())
    if (answers !== undefined) {
      let next = 0
      const readings: TokenReading[] = []
      const unanswered: Hex[] = []
      for (const [index, token] of tokens.entries()) {
        const own = answers.slice(next, next + calls[index]!.length)
        next += own.length
        const answer = answerOf(token, own)
        if (answer) readings.push(readingOf(token, answer, { height: head.height, nowMs: Date.now() }))
        else unanswered.push(token.address)
      }
      await exclusively(async () => {
        await writeTokenReadings(database, head, readings)
        await postponeTokenChecks(database, unanswered, Date.now() + UNANSWERED_MS)
      })
    }
  }
  const { waiting, states } = await checkCounts(database, Date.now())
  onProgress({
    agreed: states.events,
    readFromContract: states.reading + states.contract + states['contract-partial'],
    unconfirmed: states.unconfirmed,
    waiting,
  })
  return made
}

type Snapshot = { readonly head: BlockStamp; readonly tokens: readonly CheckedToken[] }

/** The tokens that are next, as they are stored at the head. While blocks are missing, or are derived again, sums say nothing. */
async function takeSnapshot({ database, startHeight }: TokenCheckerOptions): Promise<Snapshot | undefined> {
  const { head, outdated } = await chainState(database)
  if (head === undefined) return undefined
  if (outdated.includes('token balances') || gapsIn(await rangesStored(database), startHeight).length > 0) {
    if ((await checkCounts(database, 0)).states.events > 0) await withdrawConfirmations(database)
    return undefined
  }
  const due = await tokensDue(database, Date.now(), TOKENS_A_ROUND)
  const known = await tokensByAddress(
    database,
    due.map(({ token }) => token),
  )
  const tokens: CheckedToken[] = []
  let calls = 0
  for (const check of due) {
    const token = known.get(check.token)
    if (token === undefined) continue
    if (calls >= CALLS_A_ROUND) break
    const checked = isReadFromContract(check.source)
      ? await tokenToRead(database, token, check)
      : await tokenToCompare(database, token, { check, start: head.hash.slice(0, 42) as Hex })
    calls += callsFor(checked).length
    tokens.push(checked)
  }
  return { head, tokens }
}

async function tokenToCompare(
  database: Database,
  { address, kind, total }: Token,
  { check, start }: { check: TokenCheckRow; start: Hex },
): Promise<CheckedToken> {
  const holders = await holdersToCompare(database, { token: address, start, limit: COMPARED_HOLDERS })
  return {
    address,
    kind,
    check,
    total: total ?? (await computedTotal(database, address)),
    walked: undefined,
    holders: await withItems(database, { address, kind }, holders, COMPARED_ITEMS),
  }
}

async function tokenToRead(
  database: Database,
  { address, kind, total }: Token,
  check: TokenCheckRow,
): Promise<CheckedToken> {
  const stale = await holdersToRead(database, address, READ_HOLDERS)
  const mustRead = stale.filter(({ readHeight }) => readHeight! < check.readSince)
  // A few of the others are asked about too: whether they changed without an event.
  const asked = stale.slice(0, mustRead.length + COMPARED_HOLDERS)
  return {
    address,
    kind,
    check,
    total: total ?? (await computedTotal(database, address)),
    walked: check.walkedPos > 0 ? await addressesNamed(database, address, check.walkedPos, WALKED_ROWS) : undefined,
    holders: await withItems(database, { address, kind }, asked, READ_ITEMS),
  }
}

async function withItems(
  database: Database,
  { address: token, kind }: Pick<Token, 'address' | 'kind'>,
  holders: Awaited<ReturnType<typeof holdersToRead>>,
  limit: number,
) {
  if (kind === 20) return holders.map((holder) => ({ ...holder, items: [] }))
  return Promise.all(
    holders.map(async (holder) => ({
      ...holder,
      items: await itemsOfHolder(database, { token, address: holder.address, limit }),
    })),
  )
}

/** For a token that is older than the column. */
async function computedTotal(database: Database, token: Hex): Promise<bigint | null> {
  const total = await sumOfBalances(database, token, MOST_SUMMED)
  if (total === undefined) return null
  await setTokenTotal(database, token, total)
  return total
}
