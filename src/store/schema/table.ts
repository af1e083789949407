// A table as data: its columns, and how values are encoded for SQL and decoded. Bytes are selected as hex text, which both drivers read
// faster than buffers.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Row, TableShape, Value } from '../engine/database.ts'

export type Column<T> = {
  readonly type: TableShape['columns'][number]['type']
  readonly encode: (value: T) => Value
  readonly decode: (stored: Value) => T
}

type Columns<R> = { readonly [K in keyof R & string]: Column<R[K]> }

export type Table<R> = TableShape & {
  readonly encode: (row: R, fields?: readonly (keyof R & string)[]) => Value[]
  /** The select list of some columns, or of all, each named by its field behind a prefix. */
  readonly select: <K extends keyof R & string>(fields?: readonly K[], alias?: string, prefix?: string) => string
  readonly decode: <K extends keyof R & string>(stored: Row, fields?: readonly K[], prefix?: string) => Pick<R, K>
}

export function createTable<R>(name: string, columns: Columns<R>): Table<R> {
  const all = Object.keys(columns) as (keyof R & string)[]
  const encoders = all.map((field) => columns[field].encode)
  return {
    name,
    columns: all.map((field) => ({ name: snakeCase(field), type: columns[field].type })),
    encode: (row, fields) => {
      if (fields !== undefined) return fields.map((field) => columns[field].encode(row[field]))
      const values = new Array<Value>(all.length)
      for (let i = 0; i < all.length; i++) values[i] = encoders[i]!(row[all[i]!] as never)
      return values
    },
    select: (fields, alias = name, prefix = '') =>
      (fields ?? all)
        .map((field) => selected(`${alias}.${snakeCase(field)}`, columns[field].type, `${prefix}${field}`))
        .join(', '),
    decode: (stored, fields, prefix = '') => {
      const row: Record<string, unknown> = {}
      for (const field of fields ?? all) row[field] = columns[field].decode(stored[`${prefix}${field}`]!)
      return row as never
    },
  }
}

/** The assignments of an upsert: all columns but the key, because setting the key makes SQLite write every index again. */
export function upsertAssignments({ columns }: TableShape, key: readonly string[]): string {
  return columns
    .filter(({ name }) => !key.includes(name))
    .map(({ name }) => `${name} = excluded.${name}`)
    .join(', ')
}

export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function selected(column: string, type: string, field: string): string {
  return `${type === 'bytes' ? `lower(hex(${column}))` : column} as "${field}"`
}

export function hexToStored(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

export const integer: Column<number> = { type: 'int', encode: (value) => value, decode: (stored) => stored as number }

export const bytes: Column<Hex> = { type: 'bytes', encode: hexToStored, decode: (stored) => `0x${stored as string}` }

/** Few addresses occur in many rows, so their bytes are cached. */
export const address: Column<Hex> = { ...bytes, encode: (hex) => addressToStored(hex) }

const MAX_CACHED_ADDRESSES = 20_000
const addressBytes = new LRUCache<Hex, Uint8Array>({ max: MAX_CACHED_ADDRESSES })

function addressToStored(hex: Hex): Uint8Array {
  const known = addressBytes.get(hex)
  if (known !== undefined) return known
  const stored = hexToStored(hex)
  addressBytes.set(hex, stored)
  return stored
}

export const amount: Column<bigint> = {
  type: 'bytes',
  encode: encodeAmount,
  decode: (stored) => decodeAmount(stored as string),
}

/** PostgreSQL refuses NUL in texts, and names of contracts may contain it. */
export const text: Column<string> = {
  type: 'text',
  encode: (value) => value.replaceAll('\0', ''),
  decode: (stored) => stored as string,
}

export const real: Column<number> = { type: 'real', encode: (value) => value, decode: (stored) => stored as number }

/** SQLite's `hex` returns an empty text for null; no other value of a nullable column is empty. */
export function nullable<T>({ type, encode, decode }: Column<T>): Column<T | null> {
  return {
    type,
    encode: (value) => (value === null ? null : encode(value)),
    decode: (stored) => (stored === null || (type === 'bytes' && stored === '') ? null : decode(stored)),
  }
}

/** For columns of a key, which cannot be null: null is stored as empty bytes. */
export function emptyForNull<T>({ type, encode, decode }: Column<T>): Column<T | null> {
  return {
    type,
    encode: (value) => (value === null ? EMPTY : encode(value)),
    decode: (stored) => (stored === '' ? null : decode(stored)),
  }
}

const EMPTY = new Uint8Array(0)

/** One word of a short list, stored as its position in the list. The list may grow only at its end. */
export function oneOf<const T>(words: readonly T[]): Column<T> {
  return {
    type: 'int',
    encode: (value) => words.indexOf(value),
    decode: (stored) => words[stored as number]!,
  }
}

/** A number of a small closed set, stored as it is. */
export function literal<T extends number>(): Column<T> {
  return integer as unknown as Column<T>
}

// Integers as bytes that sort like the numbers: one byte for sign and length, then the big-endian magnitude (complemented if negative).
// A third of the size of 32-byte words, and exact: sums may exceed 2^256 or be negative.
const ZERO = 0x80

export const AMOUNT_ZERO = Uint8Array.of(ZERO)

export function encodeAmount(value: bigint): Uint8Array {
  if (value === 0n) return AMOUNT_ZERO
  const isNegative = value < 0n
  const digits = (isNegative ? -value : value).toString(16)
  const length = (digits.length + 1) >> 1
  if (length >= ZERO) throw new RangeError(`${value} has more digits than an amount can hold`)
  const prefix = isNegative ? ZERO - length : ZERO + length
  const bytes = Buffer.from(`${prefix.toString(16).padStart(2, '0')}${digits.length % 2 ? '0' : ''}${digits}`, 'hex')
  if (isNegative) complement(bytes)
  return bytes
}

/** From hex digits without `0x`, as they leave SQL. */
export function decodeAmount(digits: string): bigint {
  const prefix = Number.parseInt(digits.slice(0, 2), 16)
  if (prefix === ZERO) return 0n
  if (prefix > ZERO) return BigInt(`0x${digits.slice(2)}`)
  const bytes = Buffer.from(digits, 'hex')
  complement(bytes)
  return -BigInt(`0x${bytes.toString('hex', 1)}`)
}

function complement(bytes: Uint8Array): void {
  for (let i = 1; i < bytes.length; i++) bytes[i] = ~bytes[i]!
}
