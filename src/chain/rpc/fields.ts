// Reads the fields of a JSON-RPC answer. Every field is checked, and the error names it.
import { fromQuantity, type Hex, HexError, hexToAddress, hexToBytes, hexToWord } from '../bytes/hex.ts'

export class RpcFieldError extends Error {
  override readonly name = 'RpcFieldError'
}

export type RpcObject = { readonly [name: string]: unknown }

export function asObject(value: unknown, name: string): RpcObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RpcObject
  throw new RpcFieldError(`${name} is not an object`)
}

export function listOf<T>(from: RpcObject, name: string, read: (item: unknown) => T): T[] {
  const value = from[name]
  if (!Array.isArray(value)) throw new RpcFieldError(`${name} is not a list`)
  return value.map(read)
}

export function isPresent(from: RpcObject, name: string): boolean {
  return from[name] !== undefined && from[name] !== null
}

export function quantityOf(from: RpcObject, name: string): bigint {
  return read(from[name], name, fromQuantity)
}

export function numberOf(from: RpcObject, name: string): number {
  const value = Number(quantityOf(from, name))
  if (!Number.isSafeInteger(value)) throw new RpcFieldError(`${name} is beyond 2^53`)
  return value
}

export function addressOf(from: RpcObject, name: string): bigint {
  return read(from[name], name, hexToAddress)
}

export function recipientOf(from: RpcObject, name: string): bigint | null {
  return isPresent(from, name) ? addressOf(from, name) : null
}

export function bytesOf(from: RpcObject, name: string): Uint8Array {
  return read(from[name], name, hexToBytes)
}

export function fixedHexOf(from: RpcObject, name: string, length: number): Hex {
  const value = from[name]
  // Hashes are a third of a block's JSON and nobody needs them as bytes, so they stay text.
  if (typeof value === 'string' && value.length === 2 * length + 2 && HEX.test(value)) return value.toLowerCase() as Hex
  throw new RpcFieldError(`${name} must have ${length} bytes, has ${bytesOf(from, name).length}`)
}

const HEX = /^0x[0-9a-fA-F]*$/

export function hashOf(from: RpcObject, name: string): Hex {
  return fixedHexOf(from, name, 32)
}

export function wordIn(value: unknown): bigint {
  return read(value, 'word', hexToWord)
}

export function hashIn(value: unknown): Hex {
  return hashOf({ hash: value }, 'hash')
}

function read<T>(value: unknown, name: string, parse: (text: string) => T): T {
  if (typeof value !== 'string') throw new RpcFieldError(`${name} is not a string`)
  try {
    return parse(value)
  } catch (cause) {
    if (cause instanceof HexError) throw new RpcFieldError(`${name}: ${cause.message}`, { cause })
    throw cause
  }
}
