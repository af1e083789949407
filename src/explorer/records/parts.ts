// The parts that records of transactions, transfers and internal transactions have in common on the wire.
import type { Hex } from '../../chain/bytes/hex.ts'
import { decimalFrom } from '../../lib/numbers/decimal.ts'
import type { BlockStamp } from '../../store/read/blocks.ts'
import type { TokenKind } from '../../store/schema/rows.ts'
import type { ChainView, Heads, TokenUnit } from '../state/chain-view.ts'

export const NATIVE_DECIMALS = 18

export function nativeUnits(wei: bigint): string {
  return decimalFrom(wei, NATIVE_DECIMALS)
}

/** A contract that does not tell its decimals counts whole pieces. */
export function tokenUnits(amount: bigint, { decimals }: Pick<TokenUnit, 'decimals'>): string {
  return decimalFrom(amount, decimals ?? 0)
}

export function placeOf({ block }: { block: BlockStamp }) {
  return {
    blockHash: block.hash,
    height: String(block.height),
    transactionTime: String(block.timestampMs),
  }
}

/** A creation has no recipient yet and makes a contract (docs/spec-gaps.md#24). */
export function sidesOf(view: ChainView, { sender, recipient }: { sender: Hex; recipient: Hex | null }) {
  return {
    from: sender,
    to: recipient ?? '',
    isFromContract: view.isContract(sender),
    isToContract: recipient === null || view.isContract(recipient),
  }
}

/** Before Byzantium a receipt did not tell; such a transaction counts as successful. */
export function stateOf(status: 0 | 1 | null): string {
  return status === 0 ? 'fail' : 'success'
}

export function stageOf({ safe, finalized }: Heads, { block: { height } }: { block: BlockStamp }): string {
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

/** Undefined for what this chain has none of (docs/spec-gaps.md#17). */
export function kindFrom(protocolType: string): TokenKind | undefined {
  return ([20, 721, 1155] as const).find((kind) => protocolTypes[kind] === protocolType)
}

/** No amount comes near, and the store can still compare with it. */
const BEYOND_AMOUNTS = 2n ** 512n

export function storable(bound: bigint): bigint {
  return bound > BEYOND_AMOUNTS ? BEYOND_AMOUNTS : bound
}
