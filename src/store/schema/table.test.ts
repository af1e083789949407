import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Row, Value } from '../engine/database.ts'
import {
  address,
  amount,
  bytes,
  createTable,
  emptyForNull,
  encodeAmount,
  integer,
  nullable,
  oneOf,
  real,
  snakeCase,
  text,
  upsertAssignments,
} from './table.ts'

type Sample = {
  readonly id: number
  readonly blockHash: Hex
  readonly maybeHash: Hex | null
  readonly keyPart: Hex | null
  readonly feeWei: bigint
  readonly note: string
  readonly share: number
  readonly kind: 'call' | 'create'
  readonly maybeCount: number | null
}

const samples = createTable<Sample>('samples', {
  id: integer,
  blockHash: bytes,
  maybeHash: nullable(bytes),
  keyPart: emptyForNull(address),
  feeWei: amount,
  note: text,
  share: real,
  kind: oneOf(['call', 'create']),
  maybeCount: nullable(integer),
})

const FULL: Sample = {
  id: 1,
  blockHash: `0x${'ab'.repeat(32)}`,
  maybeHash: '0x00ff',
  keyPart: `0x${'01'.repeat(20)}`,
  feeWei: -(2n ** 260n),
  note: 'naïve ✓',
  share: 0.25,
  kind: 'create',
  maybeCount: 0,
}
const SPARSE: Sample = {
  ...FULL,
  id: 2,
  maybeHash: null,
  keyPart: null,
  feeWei: 0n,
  note: '',
  kind: 'call',
  maybeCount: null,
}

function stored(rows: readonly Sample[]): { all: (sql: string) => Row[] } {
  const database = new DatabaseSync(':memory:')
  const types = { bytes: 'blob', int: 'integer', text: 'text', real: 'real' }
  database.exec(
    `create table samples (${samples.columns.map(({ name, type }) => `${name} ${types[type]}`).join(', ')})`,
  )
  const marks = samples.columns.map(() => '?').join(', ')
  for (const row of rows) database.prepare(`insert into samples values (${marks})`).run(...samples.encode(row))
  return { all: (sql) => database.prepare(sql).all() as Row[] }
}

test('a row comes back out of SQL as it went in, nulls and empty texts included', () => {
  const rows = stored([FULL, SPARSE]).all(`select ${samples.select()} from samples order by id`)
  expect(rows.map((row) => samples.decode(row))).toEqual([FULL, SPARSE])
})

test('columns are the fields in snake case, in the order of the declaration', () => {
  expect(samples.columns.map(({ name }) => name)).toEqual([
    'id',
    'block_hash',
    'maybe_hash',
    'key_part',
    'fee_wei',
    'note',
    'share',
    'kind',
    'maybe_count',
  ])
  expect([snakeCase('l1OriginHash'), snakeCase('id'), snakeCase('aB')]).toEqual(['l1_origin_hash', 'id', 'a_b'])
})

test('some columns can be selected under an alias and a prefix, and are decoded by the same prefix', () => {
  const fields = ['blockHash', 'feeWei'] as const
  const list = samples.select(fields, 's', 'x_')
  expect(list).toBe('lower(hex(s.block_hash)) as "x_blockHash", lower(hex(s.fee_wei)) as "x_feeWei"')
  const [row] = stored([FULL]).all(`select ${list} from samples s`)
  expect(samples.decode(row!, fields, 'x_')).toEqual({ blockHash: FULL.blockHash, feeWei: FULL.feeWei })
})

test('some fields can be encoded alone, in the order given', () => {
  expect(samples.encode(FULL, ['kind', 'id'])).toEqual([1, 1])
})

test('an upsert sets everything but its key', () => {
  expect(upsertAssignments(samples, ['id', 'block_hash'])).toBe(
    'maybe_hash = excluded.maybe_hash, key_part = excluded.key_part, fee_wei = excluded.fee_wei, note = excluded.note, ' +
      'share = excluded.share, kind = excluded.kind, maybe_count = excluded.maybe_count',
  )
})

test('amounts sort in SQL as the numbers that they are, negative ones included', () => {
  const amounts = [5n, -1n, 0n, 2n ** 256n, -(2n ** 100n), 255n, 256n, -256n, -255n]
  const rows = stored(amounts.map((feeWei, id) => ({ ...FULL, id, feeWei }))).all(
    `select ${samples.select(['feeWei'])} from samples order by fee_wei`,
  )
  expect(rows.map((row) => samples.decode(row, ['feeWei']).feeWei)).toEqual([
    -(2n ** 100n),
    -256n,
    -255n,
    -1n,
    0n,
    5n,
    255n,
    256n,
    2n ** 256n,
  ])
})

test('an amount of more than 127 bytes is refused rather than cut', () => {
  expect(() => encodeAmount(2n ** (8n * 127n) - 1n)).not.toThrow()
  expect(() => encodeAmount(2n ** (8n * 127n))).toThrow(RangeError)
  expect(() => encodeAmount(-(2n ** (8n * 127n)))).toThrow(RangeError)
})

test('NUL is left out of a text, because PostgreSQL refuses it', () => {
  expect(text.encode('a\0b\0')).toBe('ab')
})

test('the bytes of a known address are the same object, and those of a hash are not', () => {
  const hex: Hex = `0x${'7e'.repeat(20)}`
  expect(address.encode(hex)).toBe(address.encode(hex))
  expect(bytes.encode(hex)).not.toBe(bytes.encode(hex))
  expect([...(bytes.encode(hex) as Uint8Array)]).toEqual(Array(20).fill(0x7e))
})

test('a word is stored as its position in the list', () => {
  const column = oneOf(['a', 'b', 'c'])
  expect(column.encode('c')).toBe(2)
  expect(column.decode(0 as Value)).toBe('a')
})
