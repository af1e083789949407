// Links a deposit on L2 to the L1 log that caused it. The first transaction of every OP block contains the hash of its L1 origin, and
// the source hash of a deposit is computed from that hash and the index of the log.
import { bigintToBytes, bytesToHex, concatBytes, type Hex, hexToBytes } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'

/** `TransactionDeposited(address,address,uint256,bytes)`. */
export const TRANSACTION_DEPOSITED: Hex = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'

const USER_DOMAIN = 0n

export function depositSourceHash(l1BlockHash: Hex, logIndex: number): Hex {
  const inner = keccak256(concatBytes(hexToBytes(l1BlockHash), bigintToBytes(BigInt(logIndex), 32)))
  return bytesToHex(keccak256(concatBytes(bigintToBytes(USER_DOMAIN, 32), inner)))
}

/** The hash of the L1 origin, from the input of a block's first transaction; undefined if the input has none. */
export function l1BlockHashFrom(input: Hex): Hex | undefined {
  const start = HASH_OFFSETS[input.slice(0, 10)]
  if (start === undefined) return undefined
  const digits = input.slice(2 + start * 2, 2 + (start + 32) * 2)
  return digits.length === 64 ? `0x${digits}` : undefined
}

/** Offset of the hash by selector: Bedrock's call is ABI-encoded, those of Ecotone, Isthmus and Jovian are packed. */
const HASH_OFFSETS: Readonly<Record<string, number>> = {
  '0x015d8eb9': 4 + 3 * 32,
  '0x440a5e20': 100,
  '0x098999be': 100,
  '0x3db6be2b': 100,
}
