import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import type { Queries, Value } from '../engine/database.ts'
import { countOf, createParameters, inList, keysOf, limited, listStatement, rowsInList, runInList } from './page.ts'

test('parameters are numbered in the order in which they are added', () => {
  const parameters = createParameters()
  expect([parameters.add(7), parameters.add('x'), parameters.add(null)]).toEqual(['$1', '$2', '$3'])
  expect(parameters.values).toEqual([7, 'x', null])
})

test('a page is a limit, and an offset where there is one', () => {
  expect(limited({ limit: 20 })).toBe('limit 20')
  expect(limited({ limit: 20, offset: 0 })).toBe('limit 20')
  expect(limited({ limit: 20, offset: 40 })).toBe('limit 20 offset 40')
})

test('what is no number of rows never reaches the text of a statement', () => {
  for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5; drop table blocks' as unknown as number]) {
    expect(() => limited({ limit }), String(limit)).toThrow(RangeError)
  }
})

test('a list is filled up to one of few sizes with its first value', () => {
  expect(inList([7])).toEqual({ marks: '$1', values: [7] })
  expect(inList([7, 8], 3)).toEqual({ marks: '$3, $4, $5, $6, $7', values: [7, 8, 7, 7, 7] })
  expect(inList(Array(6).fill('a')).values).toHaveLength(21)
  expect(inList(Array(1_001).fill('a')).values).toHaveLength(1_001)
})

test('an empty list and one that is too long are refused', () => {
  expect(() => inList([])).toThrow('0 values do not fit into a list')
  expect(() => inList(Array(1_002).fill(1))).toThrow('1002 values do not fit into a list')
})

/** Notes what is asked and answers each list with its own values. */
function recorder() {
  const asked: { text: string; values: readonly Value[] }[] = []
  const queries = {
    all: async (text: string, values: readonly Value[] = []) => {
      asked.push({ text, values })
      return [...new Set(values)].map((value) => ({ value }))
    },
    run: async (text: string, values: readonly Value[] = []) => asked.push({ text, values }),
  } as unknown as Queries
  return { queries, asked }
}

test('a long list is read in pieces of 1,001, and every value is asked for once', async () => {
  const { queries, asked } = recorder()
  const values = Array.from({ length: 2_500 }, (_, i) => i)
  const rows = await rowsInList(
    queries,
    listStatement((marks) => `in (${marks})`),
    values,
  )
  expect(asked.map((each) => each.values.length)).toEqual([1_001, 1_001, 1_001])
  expect(rows.map(({ value }) => value)).toEqual(values)
})

test('parameters before the list stand before it, and the marks count on', async () => {
  const { queries, asked } = recorder()
  const statement = listStatement((marks) => `a = $1 and b in (${marks})`, 1)
  await rowsInList(queries, statement, ['x'], ['first'])
  await rowsInList(queries, statement, ['x', 'y'], ['first'])
  expect(asked).toEqual([
    { text: 'a = $1 and b in ($2)', values: ['first', 'x'] },
    { text: 'a = $1 and b in ($2, $3, $4, $5, $6)', values: ['first', 'x', 'y', 'x', 'x', 'x'] },
  ])
})

test('nothing is asked for an empty list', async () => {
  const { queries, asked } = recorder()
  const statement = listStatement((marks) => `in (${marks})`)
  expect(await rowsInList(queries, statement, [])).toEqual([])
  await runInList(queries, statement, [])
  expect(asked).toEqual([])
})

describe.each(databases)('keys and counts on $engine', ({ open }) => {
  function fromBuckets() {
    return { table: 'used_signatures', conditions: ['expires_ms >= 20'], parameters: createParameters() }
  }

  test('keys come newest or oldest first, by number of page and by cursor, and are counted up to a limit', async () => {
    const database = await open()
    for (const at of [10, 20, 30, 40, 50]) {
      await database.run('insert into used_signatures (signature, expires_ms) values ($1, $2)', [Uint8Array.of(at), at])
    }
    const keys = (options: { limit: number; offset?: number; beyond?: number }, order?: 'newest' | 'oldest') =>
      keysOf(database, { key: 'expires_ms', from: fromBuckets(), page: options, order })
    expect(await keys({ limit: 2 })).toEqual([50, 40])
    expect(await keys({ limit: 2, offset: 2 })).toEqual([30, 20])
    expect(await keys({ limit: 9, beyond: 40 })).toEqual([30, 20])
    expect(await keys({ limit: 9 }, 'oldest')).toEqual([20, 30, 40, 50])
    expect(await keys({ limit: 1, beyond: 20 }, 'oldest')).toEqual([30])
    expect(await countOf(database, fromBuckets())).toBe(4)
    expect(await countOf(database, fromBuckets(), 3)).toBe(3)
    expect(await countOf(database, fromBuckets(), 100)).toBe(4)
    await database.close()
  })
})
