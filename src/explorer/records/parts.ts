// The parts that records of transactions, transfers and internal transactions have in common on the wire.
import type { Hex } from '../../chain/bytes/hex.ts'
import { decimalFrom } from '../../lib/numbers/decimal.ts'
import type { BlockStamp } from '../../store/read/chain-state.ts'
import type { TokenKind } from '../../store/schema/rows.ts'
import type { Heads, RecordView, TokenUnit } from '../state/chain-context.ts'

export const NATIVE_DECIMALS = 18

export function nativeUnits(wei: bigint): string {
  return decimalFrom(wei, NATIVE_DECIMALS)
}

/** Amounts of a token without decimals are whole pieces. */
export function tokenUnits(amount: bigint, { decimals }: Pick<TokenUnit, 'decimals'>): string {
  return decimalFrom(amount, decimals ?? 0)
}

/** `seen`: it waits in a pool. */
export type PendingStage = 'seen' | 'preconfirmed'

/** Number in the pool, and the highest position of a transaction in a block when the row was listed. */
export type PoolKey = readonly [number: number, bound: number]

/** The block of a pending transaction as far as it is known, and the time of the broadcast. */
export type PendingStamp = { readonly height: number | null; readonly hash: Hex | null; readonly timestampMs: number }

export function blockFieldsOf({ block }: { block: PendingStamp }) {
  return {
    blockHash: block.hash ?? '',
    height: block.height === null ? '' : String(block.height),
    transactionTime: String(block.timestampMs),
  }
}

/** A creation has no recipient, and what it creates is a contract (docs/spec-gaps.md#24). */
export function sidesOf(view: RecordView, { sender, recipient }: { sender: Hex; recipient: Hex | null }) {
  return {
    from: sender,
    to: recipient ?? '',
    isFromContract: view.isContract(sender),
    isToContract: recipient === null || view.isContract(recipient),
    ...exactness(view, [sender, recipient]),
  }
}

/** Says so where one of the addresses may be a contract without being known as one (docs/spec-gaps.md#45p). */
export function exactness(view: RecordView, addresses: readonly (Hex | null)[]): { isContractExact?: false } {
  const isOpen = addresses.some((address) => address !== null && view.mayBeContract(address))
  return isOpen ? { isContractExact: false } : {}
}

/** Receipts from before Byzantium have no status; such a transaction counts as successful. */
export function stateOf(status: 0 | 1 | null): string {
  return status === 0 ? 'fail' : 'success'
}

export function stageOf(
  { safe, finalized }: Heads,
  { block: { height } }: { block: Pick<BlockStamp, 'height'> },
): string {
  if (finalized !== null && height <= finalized) return 'finalized'
  return safe !== null && height <= safe ? 'safe' : 'included'
}

export function methodIdOf(method: Hex): string {
  return method === '0x' ? '' : method
}

const protocolTypes = { 20: 'token_20', 721: 'token_721', 1155: 'token_1155' } as const satisfies Record<
  TokenKind,
  string
>

export function protocolTypeOf(kind: TokenKind): string {
  return protocolTypes[kind]
}

/** Undefined for kinds of tokens that this chain does not have (docs/spec-gaps.md#17). */
export function kindFrom(protocolType: string): TokenKind | undefined {
  return ([20, 721, 1155] as const).find((kind) => protocolTypes[kind] === protocolType)
}

/** Far above any amount, and the store can still compare with it. */
const BEYOND_AMOUNTS = 2n ** 512n

export function storable(bound: bigint): bigint {
  return bound > BEYOND_AMOUNTS ? BEYOND_AMOUNTS : bound
}

/** Row 22 of docs/spec-gaps.md; measured against the newest block, so that one head gives one answer. */
export function challengeStatusOf(view: RecordView, { block }: { block: PendingStamp }): string {
  if (view.challengePeriodMs === 0) return ''
  return block.timestampMs + view.challengePeriodMs > view.nowMs ? 'inChallengePeriod' : 'finalized'
}
