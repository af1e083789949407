// The rows of one block. The indexer creates them, the writer encodes them, the readers return them.
// Hashes, addresses and bytes are lower-case hex; wei and token amounts are bigints; heights, positions and times numbers.
import type { Hex } from '../../chain/bytes/hex.ts'

/** All rows of one block. The writer computes activity, counters and current balances from them. */
export type BlockRows = {
  readonly block: BlockRow
  readonly transactions: readonly TransactionRow[]
  readonly logs: readonly LogRow[]
  readonly transfers: readonly TransferRow[]
  /** Every call frame but the outermost of each transaction, in preorder. */
  readonly internals: readonly InternalRow[]
  /** What `internals` lacks. */
  readonly traceGaps: readonly TraceGapRow[]
  /** At most one. */
  readonly unseenMoves: readonly UnseenMoveRow[]
  readonly contracts: readonly ContractRow[]
  /** Tokens seen for the first time. */
  readonly tokens: readonly TokenRow[]
  /** Total supplies that were read at this block. */
  readonly supplies: readonly SupplyRow[]
  /** Balance after this block of every address whose balance it changed (or that is first seen), each once. */
  readonly nativeBalances: readonly NativeBalanceRow[]
  /** What this block added to or took from token balances, each (token, address, tokenId) once; not the zero address. */
  readonly tokenDeltas: readonly TokenDeltaRow[]
}

export type BlockRow = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestampMs: number
  readonly miner: Hex
  readonly size: number
  readonly gasUsed: number
  readonly gasLimit: number
  readonly baseFeePerGas: bigint | null
  readonly difficulty: bigint
  /** 8 bytes. */
  readonly nonce: Hex
  readonly extraData: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly ommerCount: number
  /** Sum of the transactions' values. */
  readonly amount: bigint
  /** Sum of the transactions' fees. */
  readonly totalFee: bigint
  readonly burnt: bigint
  /** Issued to the miner by consensus, without fees. */
  readonly reward: bigint
  /** Highest priority fee per gas that a transaction paid. */
  readonly maxTip: bigint
  readonly transactionCount: number
  /** Null where the node had no traces; then the number is unknown, not zero. */
  readonly internalCount: number | null
  readonly token20Count: number
  readonly token721Count: number
  readonly token1155Count: number
  /** JSON of the header fields that this program does not know. */
  readonly unknownFields: string | null
}

export type TransactionRow = {
  /** `positionOf(height, transaction index)`. */
  readonly pos: number
  readonly hash: Hex
  readonly sender: Hex
  /** Null for a creation. */
  readonly recipient: Hex | null
  /** The created contract, for a creation. */
  readonly contractAddress: Hex | null
  readonly value: bigint
  /** Everything the sender paid beside the value: gas, blobs, L1 and operator fee. */
  readonly fee: bigint
  /** OP chains: the part of the fee for L1 data. */
  readonly l1Fee: bigint | null
  readonly nonce: number
  /** EIP-2718 type. */
  readonly type: number
  /** Null before Byzantium. */
  readonly status: 0 | 1 | null
  readonly gasLimit: number
  readonly gasUsed: number
  /** The effective gas price. */
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  /** First four bytes of the input (fewer where it is shorter), `0x` where it is empty. */
  readonly method: Hex
  /** Why it failed, as the node reported it: revert reason or error of the outermost call frame. */
  readonly error: string | null
  /** For deposits: the id of the deposit and the minted amount. */
  readonly sourceHash: Hex | null
  readonly mint: bigint | null
  readonly input: Hex
  /** JSON of the fields of the transaction and of its receipt that this program does not know. */
  readonly unknownFields: string | null
}

export type LogRow = {
  /** `positionOf(height, log index)`. */
  readonly pos: number
  readonly txPos: number
  readonly address: Hex
  readonly topic0: Hex | null
  readonly topic1: Hex | null
  readonly topic2: Hex | null
  readonly topic3: Hex | null
  readonly data: Hex
}

export const TOKEN_KINDS = [20, 721, 1155] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

export type TransferRow = {
  /** `positionOf(height, running index in the block)`. */
  readonly pos: number
  readonly txPos: number
  readonly logIndex: number
  readonly kind: TokenKind
  readonly token: Hex
  readonly sender: Hex
  readonly recipient: Hex
  /** 1 for ERC-721. */
  readonly amount: bigint
  /** Null for ERC-20. */
  readonly tokenId: bigint | null
}

export const OPERATIONS = [
  'call',
  'staticcall',
  'delegatecall',
  'callcode',
  'create',
  'create2',
  'selfdestruct',
] as const
export type Operation = (typeof OPERATIONS)[number]

export type InternalRow = {
  /** `positionOf(height, running index in the block)`. */
  readonly pos: number
  readonly txPos: number
  /** 1 for a child of the outermost call frame. Preorder and depth together determine the tree. */
  readonly depth: number
  readonly operation: Operation
  readonly sender: Hex
  /** The created contract for creations, the beneficiary of a selfdestruct; null where a creation failed. */
  readonly recipient: Hex | null
  readonly value: bigint
  readonly gas: number
  readonly gasUsed: number
  /** 0 also if the call frame succeeded inside one that was reverted. */
  readonly status: 0 | 1
  readonly error: string | null
}

export type ContractRow = {
  readonly address: Hex
  /** Block of its creation or, if that is not indexed, of the first call to it. */
  readonly height: number
  /** Transaction of the creation and its creator (the factory, if one created it); null if the creation is not indexed. */
  readonly txPos: number | null
  readonly creator: Hex | null
}

export type TokenRow = {
  readonly address: Hex
  readonly kind: TokenKind
  /** Block of its first transfer. */
  readonly height: number
  /** Time of the contract's creation, otherwise of its first transfer. */
  readonly issuedMs: number
  /** Null where the contract did not answer. */
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

export type SupplyRow = {
  readonly token: Hex
  readonly height: number
  readonly supply: bigint
  /** Read only because the token was seen for the first time. */
  readonly isFirst?: boolean
}

/** `balance` is null where nobody could say what it is: the repair reads it from the node later. */
export type NativeBalanceRow = { readonly address: Hex; readonly height: number; readonly balance: bigint | null }

/** Calls that are not known: of a whole block, or of one transaction with call frames that could not be read. */
export type TraceGapRow = {
  readonly height: number
  /** `WHOLE_BLOCK` where no transaction of the block was traced. */
  readonly transactionIndex: number
  readonly reason: string
  /** 1 if one of these calls may have moved native currency. */
  readonly mayMove: 0 | 1
}

export const WHOLE_BLOCK = -1

/** Native currency may have moved beside all calls of a block, by a transaction of a type that is not known. */
export type UnseenMoveRow = { readonly height: number; readonly transactionType: number }

export type TokenDeltaRow = {
  readonly height: number
  readonly token: Hex
  readonly address: Hex
  /** Null for ERC-20. */
  readonly tokenId: bigint | null
  /** Sums may be negative for tokens that change balances without a transfer log. */
  readonly delta: bigint
}

/** Market data of a token from the operator's sources. Decimals are texts as received; figures that order lists are numbers, 0 if unknown. */
export type MarketRow = {
  readonly token: Hex
  readonly price: string | null
  readonly marketCap: number
  readonly volume24h: number
  readonly circulatingSupply: string | null
  readonly tvl: string | null
  readonly website: string | null
  readonly logoUrl: string | null
}
