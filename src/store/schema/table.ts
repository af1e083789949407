// A table as data: its columns, and how a value of the program becomes a value of SQL and back. Bytes leave SQL as hex
// text, which costs both drivers less than buffers.
import type { Hex } from '../../chain/bytes/hex.ts'
import { createLru } from '../../lib/cache/lru.ts'
import type { Row, TableShape, Value } from '../engine/database.ts'
import { decodeAmount, encodeAmount } from './amount.ts'

export type Column<T> = {
  readonly type: TableShape['columns'][number]['type']
  readonly encode: (value: T) => Value
  readonly decode: (stored: Value) => T
}

type Columns<R> = { readonly [K in keyof R & string]: Column<R[K]> }

export type Table<R> = TableShape & {
  readonly encode: (row: R, fields?: readonly (keyof R & string)[]) => Value[]
  /** Some of the columns, or all, as they are selected, named by their fields behind a prefix. */
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

/** What an upsert sets: all but the key, since touching that makes SQLite write every index anew. */
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

/** The same few addresses come in row after row: their bytes are kept for a while. */
export const address: Column<Hex> = { ...bytes, encode: (hex) => addressToStored(hex) }

const ADDRESSES_KEPT = 20_000
const keptAddresses = createLru<Hex, Uint8Array>(ADDRESSES_KEPT)

function addressToStored(hex: Hex): Uint8Array {
  const kept = keptAddresses.get(hex)
  if (kept !== undefined) return kept
  const stored = hexToStored(hex)
  keptAddresses.set(hex, stored)
  return stored
}

export const amount: Column<bigint> = {
  type: 'bytes',
  encode: encodeAmount,
  decode: (stored) => decodeAmount(stored as string),
}

/** PostgreSQL has no NUL in texts; names that contracts give themselves do. */
export const text: Column<string> = {
  type: 'text',
  encode: (value) => value.replaceAll('\0', ''),
  decode: (stored) => stored as string,
}

export const real: Column<number> = { type: 'real', encode: (value) => value, decode: (stored) => stored as number }

/** Null is null in SQL; `hex` makes an empty text of it, which no value but null has in a column that may be null. */
export function nullable<T>({ type, encode, decode }: Column<T>): Column<T | null> {
  return {
    type,
    encode: (value) => (value === null ? null : encode(value)),
    decode: (stored) => (stored === null || (type === 'bytes' && stored === '') ? null : decode(stored)),
  }
}

/** For keys, which hold no null: the null value is empty bytes. */
export function emptyForNull<T>({ type, encode, decode }: Column<T>): Column<T | null> {
  return {
    type,
    encode: (value) => (value === null ? EMPTY : encode(value)),
    decode: (stored) => (stored === '' ? null : decode(stored)),
  }
}

const EMPTY = new Uint8Array(0)

/** One of a few words, as its place in their list. The list may grow at its end only. */
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
