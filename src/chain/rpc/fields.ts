// Reading fields of a JSON-RPC answer: nothing is taken on trust, and a refusal names the field.
import { fromQuantity, type Hex, HexError, hexToAddress, hexToBytes, hexToWord } from '../bytes/hex.ts'

export class RpcFieldError extends Error {
  override readonly name = 'RpcFieldError'
}

export type RpcObject = { readonly [name: string]: unknown }

export function asObject(value: unknown, name: string): RpcObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RpcObject
  throw new RpcFieldError(`${name} is no object`)
}

export function listOf<T>(from: RpcObject, name: string, read: (item: unknown) => T): T[] {
  const value = from[name]
  if (!Array.isArray(value)) throw new RpcFieldError(`${name} is no list`)
  return value.map(read)
}

export const isPresent = (from: RpcObject, name: string): boolean => from[name] !== undefined && from[name] !== null

export const quantityOf = (from: RpcObject, name: string): bigint => read(from[name], name, fromQuantity)

export function numberOf(from: RpcObject, name: string): number {
  const value = Number(quantityOf(from, name))
  if (!Number.isSafeInteger(value)) throw new RpcFieldError(`${name} is beyond 2^53`)
  return value
}

export const addressOf = (from: RpcObject, name: string): bigint => read(from[name], name, hexToAddress)

export const recipientOf = (from: RpcObject, name: string): bigint | null =>
  isPresent(from, name) ? addressOf(from, name) : null

export const bytesOf = (from: RpcObject, name: string): Uint8Array => read(from[name], name, hexToBytes)

export function fixedHexOf(from: RpcObject, name: string, length: number): Hex {
  const value = from[name]
  // Text stays text: a third of what is read of a block are hashes that nobody needs as bytes.
  if (typeof value === 'string' && value.length === 2 * length + 2 && HEX.test(value)) return value.toLowerCase() as Hex
  throw new RpcFieldError(`${name} must have ${length} bytes, has ${bytesOf(from, name).length}`)
}

const HEX = /^0x[0-9a-fA-F]*$/

export const hashOf = (from: RpcObject, name: string): Hex => fixedHexOf(from, name, 32)

export const wordIn = (value: unknown): bigint => read(value, 'word', hexToWord)

export const hashIn = (value: unknown): Hex => hashOf({ hash: value }, 'hash')

function read<T>(value: unknown, name: string, parse: (text: string) => T): T {
  if (typeof value !== 'string') throw new RpcFieldError(`${name} is no string`)
  try {
    return parse(value)
  } catch (cause) {
    if (cause instanceof HexError) throw new RpcFieldError(`${name}: ${cause.message}`, { cause })
    throw cause
  }
}
