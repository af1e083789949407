// What one answer is built from: a reader of one chain state, the heads of that state, and the services beside the chain.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { ReadTrace } from '../../chain/trace/call-frame.ts'
import type { Answer, ParamsOf } from '../../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../contract/endpoints.ts'
import { Failure } from '../../contract/failure.ts'
import type { LedgerMirror } from '../../preconfirmations/ledger-mirror.ts'
import type { TransactionPool } from '../../preconfirmations/transaction-pool.ts'
import type { ChainReader, ChainReaders } from '../../store/read/chain-reader.ts'
import { contractsAmong, possibleContracts } from '../../store/read/contracts.ts'
import { tokensByAddress } from '../../store/read/tokens.ts'
import type { TokenRow } from '../../store/schema/rows.ts'
import type { Verification } from '../../verification/jobs/verification.ts'

export type ChainNames = { readonly shortName: string; readonly fullName: string; readonly symbol: string }

export type Heads = {
  readonly latest: number
  /** Null where the node has no such tag. */
  readonly safe: number | null
  readonly finalized: number | null
}

/** What the explorer asks of L1. */
export type L1Origins = {
  /** Hashes of L1 transactions by the source hash of the deposit that each sent; undefined when L1 does not answer in time. */
  depositsIn(l1BlockHash: Hex): Promise<ReadonlyMap<Hex, Hex> | undefined>
  /** Grows with every answer of L1 that came after the request had stopped waiting: then a new answer can show more. */
  lateAnswers(): number
}

/** What the explorer asks of the node where the index is not sure of balances. */
export type NodeBalances = {
  /** Balances after a block, of the addresses that the node answered for in time. */
  readAt(addresses: readonly Hex[], height: number): Promise<ReadonlyMap<Hex, bigint>>
}

/** Transactions that wait to be included, and a look for more. */
export type PendingPool = Pick<
  TransactionPool,
  'get' | 'waiting' | 'seenBefore' | 'remove' | 'uncheckedIn' | 'checked' | 'missing'
> & {
  /** Looks for these at the node; false where it did not answer in time for all of them. */
  find(hashes: readonly Hex[]): Promise<boolean>
}

/** The calls of a preconfirmed transaction; undefined where they cannot be traced. */
export type TracePending = (hash: Hex) => Promise<ReadTrace | undefined>

/** Services beside the chain, each absent where the server runs without it. */
type Services = {
  /** Needs a node to read code from. */
  readonly verification?: Verification | undefined
  /** Preconfirmations; needs a feed. */
  readonly ledger?: LedgerMirror | undefined
  /** Needs a node. */
  readonly pool?: PendingPool | undefined
  /** Needs a feed. */
  readonly tracePending?: TracePending | undefined
  /** Needs an L1 node. */
  readonly l1?: L1Origins | undefined
  /** Needs a node. */
  readonly balances?: NodeBalances | undefined
  /** Releases of solc, oldest first; needs npm. */
  readonly solidityReleases?: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined
}

export type ExplorerOptions = Services & {
  readonly readers: ChainReaders
  readonly names: ChainNames
  readonly challengePeriodS: number
}

export type ChainContext = Services & {
  readonly reader: ChainReader
  readonly names: ChainNames
  readonly heads: Heads
  /** Time of the newest block. */
  readonly nowMs: number
  /** 0 where the chain has no challenge period. */
  readonly challengePeriodMs: number
}

/** The version changes with everything that can change an answer about the chain. */
export type OpenedChain = { readonly version: string; readonly chain: ChainContext }

/** Refuses until the first block is stored: an empty success would be wrong. */
export async function openChain(options: ExplorerOptions): Promise<OpenedChain> {
  const { readers, names, challengePeriodS, verification, ledger, pool, tracePending, l1, balances } = options
  const reader = await readers.current()
  const { head, safe, finalized, version } = reader.state
  if (!head) throw notReady('no block is indexed yet')
  // Answers say whether the pool is shown.
  const parts = [version, ...(l1 ? [l1.lateAnswers()] : []), ...(pool?.missing() === undefined ? [] : ['no pool'])]
  return {
    version: parts.join('.'),
    chain: {
      reader,
      names,
      heads: { latest: head.height, safe, finalized },
      nowMs: head.timestampMs,
      challengePeriodMs: challengePeriodS * 1000,
      verification,
      ledger,
      pool,
      tracePending,
      l1,
      balances,
    },
  }
}

const MAX_ATTEMPTS = 3

/**
 * An answer of several reads must be built from one chain state: if the chain changes between two reads, keys of one branch could meet rows
 * of another. Then the whole answer is built again. While blocks come faster than an answer is built, the last attempt is returned.
 */
export async function answerFromOneState<A>(
  { options, opened }: { readonly options: ExplorerOptions; readonly opened: OpenedChain },
  make: (chain: ChainContext) => Promise<A>,
): Promise<A> {
  let current = opened
  for (let attempt = 1; ; attempt++) {
    const answer = await make(current.chain)
    const after = await openChain(options)
    if (after.version === current.version || attempt === MAX_ATTEMPTS) return answer
    current = after
  }
}

const RETRY_AFTER_S = 5

export function notReady(reason: string): Failure {
  return new Failure('notReady', `Service temporarily unavailable: ${reason}.`, { retryAfterS: RETRY_AFTER_S })
}

export function verificationOf({ verification }: Services): Verification {
  if (!verification) throw notReady('there is no node to read code from')
  return verification
}

/** An answer of the explorer; `explorer.ts` makes the handler of the contract from it. */
export type AnswerTo<N extends EndpointName> = (
  chain: ChainContext,
  params: ParamsOf<Endpoints[N]>,
) => Promise<Answer<Endpoints[N]>>

export type TokenUnit = Pick<TokenRow, 'name' | 'symbol' | 'decimals'>

/** What records show besides their row: the chain, and what is known of the addresses in the rows. */
export type RecordView = Pick<ChainContext, 'names' | 'heads' | 'nowMs' | 'challengePeriodMs'> & {
  tokenAt: (address: Hex) => TokenUnit
  isContract: (address: Hex) => boolean
  /** Not known as a contract, but it may have been one in calls that are not known. */
  mayBeContract: (address: Hex) => boolean
}

export type Movement = { readonly sender: Hex; readonly recipient: Hex | null; readonly token?: Hex }

const NAMELESS: TokenUnit = { name: null, symbol: null, decimals: null }
const NO_ADDRESSES: ReadonlySet<Hex> = new Set()
const NO_TOKENS: ReadonlyMap<Hex, TokenRow> = new Map()

/** Reads once for all rows. */
export async function recordViewOf(chain: ChainContext, rows: readonly Movement[]): Promise<RecordView> {
  const addresses = new Set<Hex>()
  const tokens = new Set<Hex>()
  for (const { sender, recipient, token } of rows) {
    addresses.add(sender)
    if (recipient !== null) addresses.add(recipient)
    if (token !== undefined) tokens.add(token)
  }
  const [contracts, units] = await Promise.all([
    contractsAmong(chain.reader, [...addresses]),
    tokens.size > 0 ? tokensByAddress(chain.reader, [...tokens]) : NO_TOKENS,
  ])
  const others = [...addresses].filter((address) => !contracts.has(address))
  const possible = chain.reader.state.hasUnknownCalls ? await possibleContracts(chain.reader, others) : NO_ADDRESSES
  return {
    ...chain,
    isContract: (address) => contracts.has(address),
    mayBeContract: (address) => possible.has(address),
    tokenAt: (address) => units.get(address) ?? NAMELESS,
  }
}

export function chainNamesOf({ names }: ChainContext) {
  return {
    chainFullName: names.fullName,
    chainShortName: names.shortName,
  }
}
