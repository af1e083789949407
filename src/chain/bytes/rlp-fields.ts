// Reads typed fields out of decoded RLP items. The error of each reader names the field.
import { bytesToBigint, bytesToHex, type Hex } from './hex.ts'
import { RlpError, type RlpItem } from './rlp.ts'

export function bytesField(item: RlpItem | undefined, name: string): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw new RlpError(`${name} must be a byte string`)
}

export function listField(item: RlpItem | undefined, name: string): RlpItem[] {
  if (Array.isArray(item)) return item
  throw new RlpError(`${name} must be a list`)
}

export function uint256Field(item: RlpItem | undefined, name: string): bigint {
  return uintField(item, name, 32)
}
export function uint64Field(item: RlpItem | undefined, name: string): bigint {
  return uintField(item, name, 8)
}
export function uint8Field(item: RlpItem | undefined, name: string): bigint {
  return uintField(item, name, 1)
}

/** For heights and times. */
export function numberField(item: RlpItem | undefined, name: string): number {
  const value = Number(uintField(item, name, 8))
  if (!Number.isSafeInteger(value)) throw new RlpError(`${name} is beyond 2^53`)
  return value
}

export function booleanField(item: RlpItem | undefined, name: string): boolean {
  const value = uintField(item, name, 1)
  if (value > 1n) throw new RlpError(`${name} must be 0 or 1`)
  return value === 1n
}

export function addressField(item: RlpItem | undefined, name: string): bigint {
  return bytesToBigint(fixedBytesField(item, name, 20))
}

/** The recipient of a transaction; null if the transaction creates a contract. */
export function recipientField(item: RlpItem | undefined, name: string): bigint | null {
  return bytesField(item, name).length === 0 ? null : addressField(item, name)
}

export function wordField(item: RlpItem | undefined, name: string): bigint {
  return bytesToBigint(fixedBytesField(item, name, 32))
}

export function hashField(item: RlpItem | undefined, name: string): Hex {
  return bytesToHex(fixedBytesField(item, name, 32))
}

export function fixedBytesField(item: RlpItem | undefined, name: string, length: number): Uint8Array {
  const bytes = bytesField(item, name)
  if (bytes.length !== length) throw new RlpError(`${name} must have ${length} bytes, has ${bytes.length}`)
  return bytes
}

export function expectFields(items: readonly RlpItem[], count: number, name: string): void {
  if (items.length !== count) throw new RlpError(`${name} must have ${count} fields, has ${items.length}`)
}

function uintField(item: RlpItem | undefined, name: string, maxBytes: number): bigint {
  const bytes = bytesField(item, name)
  if (bytes.length > maxBytes) throw new RlpError(`${name} is longer than ${maxBytes} bytes`)
  if (bytes[0] === 0) throw new RlpError(`${name} has a leading zero`)
  return bytesToBigint(bytes)
}
