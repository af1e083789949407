import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../contract/failure.ts'
import { cursorFrom, keyFrom, type List, pageOf } from './paging.ts'

/** The numbers from `size` down to 1. */
function listOf(size: number, window?: number): List<number> {
  return {
    name: 'numbers',
    rows: async (slice) => {
      const first = 'after' in slice ? size - (slice.after[0] as number) + 1 : slice.offset
      return Array.from({ length: size }, (_, i) => size - i).slice(first, first + slice.limit)
    },
    count: async () => size,
    keyShape: ['position'],
    keyOf: (row) => [row],
    ...(window !== undefined && { window }),
  }
}

async function walkPages(list: List<number>, limit: number): Promise<number[]> {
  const rows: number[] = []
  for (let page = 1; ; page++) {
    const got = await pageOf(list, { page, limit })
    if (got.rows.length === 0) return rows
    rows.push(...got.rows)
    expect(page).toBeLessThanOrEqual(Number(got.paging.totalPage))
  }
}

async function walkCursors(list: List<number>, limit: number): Promise<number[]> {
  const rows: number[] = []
  for (let after: string | undefined; ; ) {
    const got = await pageOf(list, { page: 1, limit, after })
    rows.push(...got.rows)
    if (got.paging.nextCursor === '') return rows
    after = got.paging.nextCursor
  }
}

describe('a page', () => {
  test('and all others are disjoint and complete, by number as by cursor', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.integer({ min: 1, max: 50 }), async (size, limit) => {
        const all = Array.from({ length: size }, (_, i) => size - i)
        expect(await walkPages(listOf(size), limit)).toEqual(all)
        expect(await walkCursors(listOf(size), limit)).toEqual(all)
      }),
    )
  })

  test('a page does not reach past the window by number, and does so by cursor', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.integer({ min: 1, max: 50 }), fc.nat(60), async (size, limit, window) => {
        expect(await walkPages(listOf(size, window), limit)).toHaveLength(Math.min(size, window))
        if (window > 0) expect(await walkCursors(listOf(size, window), limit)).toHaveLength(size)
      }),
    )
  })

  test('past the end is empty and still knows the total', async () => {
    const { rows, total, paging } = await pageOf(listOf(5), { page: 9, limit: 2 })
    expect({ rows, total, paging }).toEqual({
      rows: [],
      total: 5,
      paging: { page: '9', limit: '2', totalPage: '3', nextCursor: '' },
    })
  })

  test('a page whose number is beyond all counting is past the end too', async () => {
    const list = { ...listOf(5), rows: () => Promise.reject(new Error('read')) }
    const { rows, paging } = await pageOf(list, { page: 10 ** 15 - 1, limit: 50 })
    expect({ rows, paging }).toMatchObject({ rows: [], paging: { totalPage: '1', nextCursor: '' } })
  })

  test('a page that holds everything does not count', async () => {
    const list = { ...listOf(5), count: () => Promise.reject(new Error('counted')) }
    expect((await pageOf(list, { page: 1, limit: 5 })).paging.totalPage).toBe('1')
    await expect(pageOf(list, { page: 1, limit: 4 })).rejects.toThrow('counted')
  })
})

describe('a cursor', () => {
  const address = `0x${'ab'.repeat(20)}`

  test.each([
    ['the largest amount', 2n ** 256n - 1n],
    ['a sum of many such', (2n ** 256n - 1n) * 10n ** 12n],
  ])('a cursor with %s gives back its key', (_, amount) => {
    const key = [String(amount), address, 7]
    const cursor = cursorFrom('token-holders', key)
    expect(keyFrom('token-holders', ['amount', 'address', 'position'], cursor)).toEqual(key)
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,256}$/)
  })

  test.each([
    'AbC-123_z',
    Buffer.from('null').toString('base64url'),
    cursorFrom('another list', [7, address]),
    cursorFrom('a list', []),
    cursorFrom('a list', [7]),
    cursorFrom('a list', [7, address, 7]),
    cursorFrom('a list', [-7, address]),
    cursorFrom('a list', [1.5, address]),
    cursorFrom('a list', ['7', address]),
    cursorFrom('a list', [7, `${address}; drop`]),
  ])('the cursor %s is refused in a list that it is not of', (cursor) => {
    expect(() => keyFrom('a list', ['position', 'address'], cursor)).toThrow(Failure)
  })
})
