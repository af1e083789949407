// The data of web pages beside the answers of the explorer API, declared once: `explorer/pages` returns these types, `http/pages` passes
// them on, `web` renders them. As in the API, quantities are decimal strings and a missing value is the empty string.
import type { DataOf } from './endpoint.ts'
import type { EndpointName, Endpoints } from './endpoints.ts'

/** The data of an answer of the explorer API. */
export type AnswerData<N extends EndpointName> = DataOf<Endpoints[N]>
/** The one element of a paged answer. */
export type AnswerPage<N extends EndpointName> = AnswerData<N>[0]

export type BlockItem = AnswerPage<'blockList'>['blockList'][number]
export type BlockDetail = AnswerPage<'blockFills'>
export type TransactionItem = AnswerPage<'transactionList'>['transactionList'][number]
export type TransactionDetail = AnswerData<'transactionFills'>[number]
export type LogItem = AnswerData<'logsByTransaction'>[number]
export type TokenItem = AnswerPage<'tokenList'>['tokenList'][number]
export type FlashblockItem = AnswerPage<'flashblockList'>['flashblockList'][number]
/** The preconfirmation record of a block or of a transaction. */
export type BlockPreconfirmations = AnswerData<'preconfirmationBlock'>[number]
export type TransactionPreconfirmation = AnswerData<'preconfirmationTransaction'>[number]

/** The page of a list that is shown, and how many pages there are. */
export type ListPosition = { readonly page: number; readonly limit: number; readonly totalPage: number }

/** A token that a search found. */
export type FoundToken = {
  readonly address: string
  readonly name: string
  readonly symbol: string
  /** `ERC-20`, `ERC-721` or `ERC-1155`. */
  readonly standard: string
}

/** A verified contract that a search found. */
export type FoundContract = { readonly address: string; readonly name: string }

/** A call frame of a transaction, in preorder; depth 0 is the transaction's own call. */
export type PageCallFrame = {
  readonly depth: number
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly isToContract: boolean
  readonly amount: string
  readonly gas: string
  readonly gasUsed: string
  readonly hasFailed: boolean
  readonly error: string
}

export type PageCallFrames = {
  readonly calls: readonly PageCallFrame[]
  readonly isTruncated: boolean
  /** Why calls are missing; undefined where all are known. */
  readonly missing: string | undefined
}

/** One id of an NFT with its owner. */
export type InventoryItem = { readonly tokenId: string; readonly owner: string; readonly amount: string }

export type DecodedArgument = { readonly name: string; readonly type: string; readonly value: string }

/** A log, a call or an error in words. */
export type DecodedWords = {
  readonly name: string
  readonly arguments: readonly DecodedArgument[]
  /** The ABI of the contract is not known; the selector alone gave the name. */
  readonly isGuess: boolean
}

export type ChartSpan = 'minute' | 'hour' | 'day'

export type ActivityPoint = {
  readonly startMs: number
  readonly blocks: number
  readonly transactions: number
  readonly gasUsed: number
  readonly gasLimit: number
  /** In native units, at the end of the period; empty where blocks have no base fee. */
  readonly baseFee: string
  /** Addresses that sent a transaction; null where there are too many to count. */
  readonly senders: number | null
}

/** Oldest first. Periods that are not counted yet are missing at the beginning; then `isWhole` is false. */
export type Activity = { readonly points: readonly ActivityPoint[]; readonly isWhole: boolean }

export type GasBlock = {
  readonly height: string
  readonly timeMs: string
  /** In native units. */
  readonly baseFee: string
  readonly gasUsed: string
  readonly gasLimit: string
}

export type GasPrices = {
  /** Newest first. */
  readonly blocks: readonly GasBlock[]
  /** The 10th, 50th and 90th percentile of the tips of the newest transactions, in native units. */
  readonly tips: { readonly low: string; readonly usual: string; readonly high: string } | undefined
}

/** Counts times up to and including `toMs` and above the end of the bar before; the last bar has no end. */
export type LatencyBar = { readonly toMs: number | null; readonly count: number }

/** Latency bars by what was measured. */
export type Latencies = {
  readonly seenToPreconfirmed: readonly LatencyBar[]
  readonly preconfirmedToIncluded: readonly LatencyBar[]
  readonly seenToIncluded: readonly LatencyBar[]
}

/** One difference between a preconfirmation and the sealed block. */
export type BrokenPreconfirmation = {
  readonly height: string
  readonly timeMs: string
  readonly txId: string
  /** `dropped`, or what changed. */
  readonly type: string
  readonly from: string
  readonly to: string
}

/** A transaction as the message of a flashblock describes it. */
export type FlashblockTransaction = {
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly methodId: string
  readonly amount: string
  readonly hasFailed: boolean
  /** Empty where the message has no receipt of this transaction or of the one before. */
  readonly gasUsed: string
  readonly logCount: string
}

export type FlashblockContent = {
  readonly transactions: readonly FlashblockTransaction[]
  readonly balances: readonly { readonly address: string; readonly balance: string }[]
  /** The flashblock has more than is shown. */
  readonly isTruncated: boolean
}

/** A verified contract in a list. */
export type VerifiedListItem = {
  readonly address: string
  readonly name: string
  readonly language: string
  readonly compiler: string
  readonly rank: 'exact' | 'partial'
  readonly verifiedMs: number
}

/** A verified contract without the text of its files. */
export type ContractFacts = {
  readonly address: string
  readonly name: string
  readonly mainFile: string
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  readonly match: 'exact' | 'partial' | 'similar'
  readonly similarTo: string
  readonly runtime: 'exact' | 'partial'
  /** Null where the creation code is not known. */
  readonly creation: 'exact' | 'partial' | null
  readonly language: string
  readonly compiler: string
  readonly optimizer: { readonly enabled: boolean; readonly runs: number }
  readonly evmVersion: string
  readonly licenseType: string
  readonly verifiedMs: string
  readonly abi: readonly object[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly constructorArguments: string | null
  readonly decodedArguments: readonly DecodedArgument[]
  readonly libraries: readonly { readonly name: string; readonly address: string }[]
  readonly metadata: string
  readonly isBlueprint: boolean
  readonly notes: readonly string[]
}

/** Lines of the source files of one contract that contain a text. */
export type FoundLines = {
  readonly lines: readonly { readonly path: string; readonly number: number; readonly text: string }[]
  readonly isTruncated: boolean
}
