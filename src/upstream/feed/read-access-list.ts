// The access list that some feeds put beside a flashblock: RLP after EIP-7928, with or without something around it. Only a hint of what to
// fetch, so what cannot be read is as good as nothing.

import { bytesToBigint, hexToBytes } from '../../chain/bytes/hex.ts'
import { decodeRlp, type RlpItem } from '../../chain/bytes/rlp.ts'
import type { TouchedState } from '../../chain/codec/flashblock.ts'

export function touchedFromAccessList(told: unknown): TouchedState | null {
  if (typeof told !== 'string' || told.length <= 2) return null
  const slots = new Map<bigint, Set<bigint>>()
  try {
    collect(decodeRlp(hexToBytes(told)), slots, 0)
  } catch {
    return null
  }
  return slots.size === 0 ? null : { accounts: new Set(slots.keys()), slots }
}

/** An account is a list that begins with its address, the changes of its storage, and what was only read of it. */
function collect(item: RlpItem, slots: Map<bigint, Set<bigint>>, depth: number): void {
  if (item instanceof Uint8Array || depth > MOST_DEPTH) return
  const [address, changes, reads] = item
  const isAccount = address instanceof Uint8Array && address.length === ADDRESS_BYTES && Array.isArray(changes)
  if (!isAccount) {
    for (const inner of item) collect(inner, slots, depth + 1)
    return
  }
  const keys = slots.get(bytesToBigint(address)) ?? new Set<bigint>()
  for (const change of changes) addSlot(keys, Array.isArray(change) ? change[0] : undefined)
  for (const read of Array.isArray(reads) ? reads : []) addSlot(keys, read)
  slots.set(bytesToBigint(address), keys)
}

function addSlot(keys: Set<bigint>, slot: RlpItem | undefined): void {
  if (slot instanceof Uint8Array && slot.length <= WORD_BYTES) keys.add(bytesToBigint(slot))
}

const ADDRESS_BYTES = 20
const WORD_BYTES = 32
const MOST_DEPTH = 4
