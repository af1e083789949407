// The chain as it stands while one request is answered.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Answer, ParamsOf } from '../../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { LedgerMirror } from '../../preconfirmations/ledger-mirror.ts'
import type { Queries } from '../../store/engine/database.ts'
import { contractsAmong } from '../../store/read/contracts.ts'
import { chainState } from '../../store/read/head.ts'
import { tokensByAddress } from '../../store/read/tokens.ts'
import type { Verification } from '../../verification/jobs/verification.ts'
import type { ChainNames, ChainView, Heads, TokenUnit } from './chain-view.ts'
import type { L1Origins } from './l1-origins.ts'

export type ChainNow = {
  readonly queries: Queries
  readonly names: ChainNames
  readonly heads: Heads
  /** Time of the newest block. */
  readonly nowMs: number
  readonly challengePeriodMs: number
  /** Absent where there is no node to read code from. */
  readonly verification?: Verification | undefined
  /** Absent where no feed is followed. */
  readonly ledger?: LedgerMirror | undefined
  /** Absent where L1 is not known. */
  readonly l1?: L1Origins | undefined
}

export type ExplorerOptions = {
  readonly queries: Queries
  readonly names: ChainNames
  readonly challengePeriodS: number
  readonly verification?: Verification | undefined
  /** Preconfirmations, where a feed is followed. */
  readonly ledger?: LedgerMirror | undefined
  readonly l1?: L1Origins | undefined
}

/**
 * Refuses until the first block is stored; the version changes with everything that can change an answer. As long as it does not,
 * `now` is the same object, so that what was made for it can be found again.
 */
export async function chainNow(options: ExplorerOptions): Promise<Stands> {
  const { queries, names, challengePeriodS, verification, ledger, l1 } = options
  const { head, safe, finalized, version: stored } = await chainState(queries)
  if (!head) throw notReady('no block is indexed yet')
  const version = l1 ? `${stored}.${l1.lateAnswers()}` : stored
  const known = last.get(options)
  if (known?.version === version) return known
  const heads = { latest: head.height, safe, finalized }
  const challengePeriodMs = challengePeriodS * 1000
  const now: ChainNow = { queries, names, heads, nowMs: head.timestampMs, challengePeriodMs, verification, ledger, l1 }
  const stands = { version, now }
  last.set(options, stands)
  return stands
}

type Stands = { readonly version: string; readonly now: ChainNow }

const last = new WeakMap<ExplorerOptions, Stands>()

/**
 * What several reads make is made of one state of the chain: should it change between them, keys of one branch could meet rows of
 * another, and all is made again. While blocks come faster than that, what the last attempt gave must do.
 */
export async function ofOneState<A>(
  { options, begun }: { readonly options: ExplorerOptions; readonly begun: Stands },
  make: (now: ChainNow) => Promise<A>,
): Promise<A> {
  let stands = begun
  for (let attempt = 1; ; attempt++) {
    const made = await make(stands.now)
    const after = await chainNow(options)
    if (after.version === stands.version || attempt === MOST_ATTEMPTS) return made
    stands = after
  }
}

const MOST_ATTEMPTS = 3
const RETRY_AFTER_S = 5

export function notReady(reason: string): Failure {
  return new Failure('notReady', `Service temporarily unavailable: ${reason}.`, { retryAfterS: RETRY_AFTER_S })
}

export function verificationOf({ verification }: ChainNow): Verification {
  if (!verification) throw notReady('there is no node to read code from')
  return verification
}

/** How the handlers of the nouns look; `explorer.ts` makes those of the contract from them. */
export type AnswerTo<N extends EndpointName> = (
  now: ChainNow,
  params: ParamsOf<Endpoints[N]>,
) => Promise<Answer<Endpoints[N]>>

export type Movement = { readonly sender: Hex; readonly recipient: Hex | null; readonly token?: Hex }

/** Asks once for everything that the records of these rows show of their addresses. */
export async function viewOf(now: ChainNow, rows: readonly Movement[]): Promise<ChainView> {
  const sides = rows.flatMap(({ sender, recipient }) => (recipient === null ? [sender] : [sender, recipient]))
  const tokens = rows.flatMap(({ token }) => token ?? [])
  const [contracts, units] = await Promise.all([
    contractsAmong(now.queries, [...new Set(sides)]),
    tokensByAddress(now.queries, [...new Set(tokens)]),
  ])
  return {
    ...now,
    isContract: (address) => contracts.has(address),
    tokenAt: (address) => units.get(address) ?? NAMELESS,
  }
}

const NAMELESS: TokenUnit = { name: null, symbol: null, decimals: null }

export function chainNamesOf({ names }: ChainNow) {
  return {
    chainFullName: names.fullName,
    chainShortName: names.shortName,
  }
}
