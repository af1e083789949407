// What Vyper writes at the end of creation code since 0.3.10: a CBOR array and its length, those two bytes included.
// [integrity since 0.4.1, size of the runtime code, sizes of the data sections, size of the immutables, {vyper: version}]

import { type CborValue, decodeCbor } from './cbor.ts'
import type { ByteRange } from './code-metadata.ts'

export type VyperFooter = {
  readonly version: string
  readonly immutableBytes: number
  /** Pins the sources, as solc's metadata hash does. */
  readonly integrity: ByteRange | null
}

export function vyperFooter(creation: Uint8Array): VyperFooter | null {
  const length = ((creation.at(-2) ?? 0) << 8) | (creation.at(-1) ?? 0)
  const start = creation.length - length
  if (length < 4 || start < 0) return null
  const decoded = decodeCbor(creation, start)
  if (decoded === null || decoded.end !== creation.length - 2 || !Array.isArray(decoded.value)) return null
  const items: readonly CborValue[] = decoded.value
  const version = versionIn(items.at(-1))
  const immutableBytes = items.at(-2)
  if (version === null || typeof immutableBytes !== 'number') return null
  // It is the first item: behind the array's head and the two bytes that say 32 bytes.
  const at = start + 1 + INTEGRITY_HEAD_BYTES
  const integrity = isIntegrity(items[0]) ? { start: at, end: at + INTEGRITY_BYTES } : null
  return { version, immutableBytes, integrity }
}

/** The version that code on chain carries, at the end of creation code or, from 0.3.4 to 0.3.9, within the runtime code. */
export function vyperVersionIn(code: Uint8Array): string | null {
  const footer = vyperFooter(code)
  if (footer) return footer.version
  const at = Buffer.from(code).lastIndexOf(MARK)
  return at < 0 ? null : versionIn(decodeCbor(code, at)?.value)
}

const INTEGRITY_BYTES = 32
const INTEGRITY_HEAD_BYTES = 2
function isIntegrity(item: CborValue | undefined): boolean {
  return item instanceof Uint8Array && item.length === INTEGRITY_BYTES
}

/** A map of one entry, `vyper`, that is an array of three. */
const MARK = Buffer.from('a165767970657283', 'hex')

function versionIn(value: CborValue | undefined): string | null {
  const version = value instanceof Map ? value.get('vyper') : undefined
  return Array.isArray(version) && version.length === 3 ? version.join('.') : null
}
