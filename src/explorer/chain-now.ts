// The chain as it stands while one request is answered.
import type { Hex } from '../chain/hex.ts'
import type { Answer, ParamsOf } from '../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'
import type { Queries } from '../store/database.ts'
import { contractsAmong } from '../store/read/contracts.ts'
import { chainState } from '../store/read/head.ts'
import { tokensByAddress } from '../store/read/tokens.ts'
import type { ChainNames, ChainView, Heads, TokenUnit } from './chain-view.ts'

export type ChainNow = {
  readonly queries: Queries
  readonly names: ChainNames
  readonly heads: Heads
  /** Time of the newest block. */
  readonly nowMs: number
  readonly challengePeriodMs: number
}

export type ExplorerOptions = {
  readonly queries: Queries
  readonly names: ChainNames
  readonly challengePeriodS: number
}

/** Refuses until the first block is stored; the version changes with everything that can change an answer. */
export const chainNow = async ({ queries, names, challengePeriodS }: ExplorerOptions) => {
  const { head, safe, finalized, version } = await chainState(queries)
  if (!head) throw notReady('no block is indexed yet')
  const heads = { latest: head.height, safe, finalized }
  const now: ChainNow = { queries, names, heads, nowMs: head.timestampMs, challengePeriodMs: challengePeriodS * 1000 }
  return { version, now }
}

const RETRY_AFTER_S = 5

export const notReady = (reason: string): Failure =>
  new Failure('notReady', `Service temporarily unavailable: ${reason}.`, { retryAfterS: RETRY_AFTER_S })

/** How the handlers of the nouns look; `explorer.ts` makes those of the contract from them. */
export type AnswerTo<N extends EndpointName> = (
  now: ChainNow,
  params: ParamsOf<Endpoints[N]>,
) => Promise<Answer<Endpoints[N]>>

type Movement = { readonly sender: Hex; readonly recipient: Hex | null; readonly token?: Hex }

/** Asks once for everything that the records of these rows show of their addresses. */
export const viewOf = async (now: ChainNow, rows: readonly Movement[]): Promise<ChainView> => {
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

export const chainNamesOf = ({ names }: ChainNow) => ({
  chainFullName: names.fullName,
  chainShortName: names.shortName,
})
