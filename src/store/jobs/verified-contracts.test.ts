import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database } from '../engine/database.ts'
import { addHighlighted, highlightedShape } from './highlighted-files.ts'
import { type VerifiedRow, verifiedContracts, verifiedWithSameCode, writeVerified } from './verified-contracts.ts'

function addressOf(n: number): Hex {
  return `0x${String(n).padStart(40, '0')}`
}
const CODE: Hex = `0x${'ab'.repeat(32)}`
const OTHER_CODE: Hex = `0x${'cd'.repeat(32)}`
const ALL = { limit: 10, offset: 0 }

function row(n: number, more: Partial<VerifiedRow>): VerifiedRow {
  return {
    address: addressOf(n),
    codeHash: CODE,
    rank: 'exact',
    name: 'Token',
    language: 'solidity',
    compiler: '0.8.30',
    verifiedMs: n,
    guid: String(n),
    detail: '{}',
    ...more,
  }
}

describe.each(databases)('verified contracts on $engine', ({ open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
    const rows = [
      row(1, {}),
      row(2, { name: 'Pool_1', codeHash: OTHER_CODE }),
      row(3, { name: 'Poolx1', rank: 'partial', language: 'vyper' }),
    ]
    for (const each of rows) await writeVerified(database, each)
  })
  afterEach(() => database.close())

  const found = async (filter: Parameters<typeof verifiedContracts>[1], page = ALL) =>
    (await verifiedContracts(database, filter, page)).map(({ address }) => address)

  test('verified contracts are listed newest first, page by page', async () => {
    expect(await found({})).toEqual([3, 2, 1].map(addressOf))
    expect(await found({}, { limit: 1, offset: 1 })).toEqual([addressOf(2)])
  })

  test('verified contracts are found by language, match and the beginning of the name, whatever stands in it', async () => {
    expect(await found({ language: 'vyper' })).toEqual([addressOf(3)])
    expect(await found({ rank: 'exact', name: 'pool' })).toEqual([addressOf(2)])
    expect(await found({ name: 'POOL_' })).toEqual([addressOf(2)])
    expect(await found({ name: '%' })).toEqual([])
  })

  test('verified contracts have twins with the same code, the best match first', async () => {
    const twins = await verifiedWithSameCode(database, CODE, { except: addressOf(9), limit: 10 })
    expect(twins.map(({ address, rank }) => [address, rank])).toEqual([
      [addressOf(1), 'exact'],
      [addressOf(3), 'partial'],
    ])
    expect(await verifiedWithSameCode(database, OTHER_CODE, { except: addressOf(2), limit: 10 })).toEqual([])
  })

  test('verified contracts keep the shape of a file once', async () => {
    const key = { contentHash: CODE, language: 'solidity' }
    await addHighlighted(database, [{ ...key, shape: '[[0,1]]' }])
    await addHighlighted(database, [{ ...key, shape: '[[0,2]]' }])
    expect(await highlightedShape(database, key)).toBe('[[0,1]]')
    expect(await highlightedShape(database, { ...key, language: 'json' })).toBeUndefined()
  })
})
