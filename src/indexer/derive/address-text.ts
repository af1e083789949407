// An address as text, the same string for the same address: a block names few of them many times, and what is one string is hashed and
// made into bytes once.
import { addressToHex, type Hex } from '../../chain/bytes/hex.ts'
import { createLru } from '../../lib/cache/lru.ts'

const KEPT = 20_000
const kept = createLru<bigint, Hex>(KEPT)

export function addressText(address: bigint): Hex {
  const known = kept.get(address)
  if (known !== undefined) return known
  const text = addressToHex(address)
  kept.set(address, text)
  return text
}
