// The parts that records of transactions, transfers and internal transactions have in common on the wire.
import type { Hex } from '../../chain/bytes/hex.ts'
import { decimalFrom } from '../../lib/numbers/decimal.ts'
import type { BlockStamp } from '../../store/read/blocks.ts'
import type { TokenKind } from '../../store/schema/rows.ts'
import type { ChainView, Heads, TokenUnit } from '../state/chain-view.ts'

export const NATIVE_DECIMALS = 18

export const nativeUnits = (wei: bigint): string => decimalFrom(wei, NATIVE_DECIMALS)

/** A contract that does not tell its decimals counts whole pieces. */
export const tokenUnits = (amount: bigint, { decimals }: Pick<TokenUnit, 'decimals'>): string =>
  decimalFrom(amount, decimals ?? 0)

export const placeOf = ({ block }: { block: BlockStamp }) => ({
  blockHash: block.hash,
  height: String(block.height),
  transactionTime: String(block.timestampMs),
})

/** A creation has no recipient yet and makes a contract (docs/spec-gaps.md#24). */
export const sidesOf = (view: ChainView, { sender, recipient }: { sender: Hex; recipient: Hex | null }) => ({
  from: sender,
  to: recipient ?? '',
  isFromContract: view.isContract(sender),
  isToContract: recipient === null || view.isContract(recipient),
})

/** Before Byzantium a receipt did not tell; such a transaction counts as successful. */
export const stateOf = (status: 0 | 1 | null): string => (status === 0 ? 'fail' : 'success')

export const stageOf = ({ safe, finalized }: Heads, { block: { height } }: { block: BlockStamp }): string => {
  if (finalized !== null && height <= finalized) return 'finalized'
  return safe !== null && height <= safe ? 'safe' : 'included'
}

export const methodIdOf = (method: Hex): string => (method === '0x' ? '' : method)

const protocolTypes = { 20: 'token_20', 721: 'token_721', 1155: 'token_1155' } as const satisfies Record<
  TokenKind,
  string
>

export const protocolTypeOf = (kind: TokenKind): string => protocolTypes[kind]

/** Undefined for what this chain has none of (docs/spec-gaps.md#17). */
export const kindFrom = (protocolType: string): TokenKind | undefined =>
  ([20, 721, 1155] as const).find((kind) => protocolTypes[kind] === protocolType)

/** No amount comes near, and the store can still compare with it. */
const BEYOND_AMOUNTS = 2n ** 512n

export const storable = (bound: bigint): bigint => (bound > BEYOND_AMOUNTS ? BEYOND_AMOUNTS : bound)
