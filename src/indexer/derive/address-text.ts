// The same string object for the same address. A block names few addresses many times, and one string object is hashed and encoded once.

import { LRUCache } from 'lru-cache'
import { addressToHex, type Hex } from '../../chain/bytes/hex.ts'

const MAX_ADDRESSES = 20_000
const texts = new LRUCache<bigint, Hex>({ max: MAX_ADDRESSES })

export function addressText(address: bigint): Hex {
  const known = texts.get(address)
  if (known !== undefined) return known
  const text = addressToHex(address)
  texts.set(address, text)
  return text
}
