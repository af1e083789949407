import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomChain, TOKENS } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import type { Hex } from '../../chain/bytes/hex.ts'
import { writeChain } from '../chain/write.ts'
import type { Database } from '../engine/database.ts'
import { verifiedContracts, writeVerified } from '../jobs/verified-contracts.ts'
import { contractsNamed, tokensNamed } from './name-search.ts'
import { type InventoryKey, tokenInventory } from './token-balances.ts'

function addressOf(n: number): Hex {
  return `0x${n.toString(16).padStart(40, '0')}`
}
const LONG = 'Long'.repeat(5_000)
const NAMES: readonly (readonly [symbol: string | null, name: string | null])[] = [
  ['ABC', 'Alphabet'],
  ['ABCD', 'Another'],
  ['a%c', 'Percent'],
  ['a_c', 'Underscore'],
  ['日本', 'abcoin'],
  ['L', LONG],
  [null, null],
]

describe.each(databases)('names on $engine', ({ open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
    for (const [i, [symbol, name]] of NAMES.entries()) {
      await database.run(
        'insert into tokens (address, kind, height, issued_ms, name, symbol) values ($1, 20, 0, 0, $2, $3)',
        [Buffer.from(addressOf(i).slice(2), 'hex'), name, symbol],
      )
    }
  })
  afterEach(() => database.close())

  const found = async (text: string, limit = 10) =>
    (await tokensNamed(database, text, limit)).map(({ address }) => NAMES[Number(address)]![0])

  test('names of tokens are found by their beginning in any case, the whole name first', async () => {
    expect(await found('abc')).toEqual(['ABC', 'ABCD', '日本'])
    expect(await found('abcd')).toEqual(['ABCD'])
    expect(await found('ABC', 1)).toEqual(['ABC'])
    expect(await found('bc')).toEqual([])
  })

  test('names are plain text, whatever stands in them', async () => {
    expect(await found('a%')).toEqual(['a%c'])
    expect(await found('a_')).toEqual(['a_c'])
    expect(await found('日')).toEqual(['日本'])
    expect(await found(LONG)).toEqual(['L'])
    expect(await found("';--")).toEqual([])
  })

  test('names of contracts are found in the same way', async () => {
    for (const [i, name] of ['Pool', 'PoolFactory', 'Spool'].entries()) {
      const row = { language: 'solidity', compiler: '0.8.30', guid: String(i), detail: '{}', rank: 'exact' } as const
      const codeHash: Hex = `0x${'ab'.repeat(32)}`
      await writeVerified(database, { ...row, address: addressOf(i), codeHash, name, verifiedMs: i })
    }
    expect((await contractsNamed(database, 'POOL', 10)).map(({ name }) => name)).toEqual(['Pool', 'PoolFactory'])
    const [newest] = await verifiedContracts(database, {}, { limit: 1 })
    const rest = await verifiedContracts(database, {}, { limit: 10, beyond: newest })
    expect([newest!, ...rest].map(({ name }) => name)).toEqual(['Spool', 'PoolFactory', 'Pool'])
  })
})

describe.each(databases)('the items of an NFT on $engine', ({ open }) => {
  test('the items of an NFT are the same walked by key and by page', async () => {
    const database = await open()
    await writeChain(database, { blocks: randomChain({ seed: 11, last: 40 }) })
    for (const { address } of TOKENS.filter(({ kind }) => kind !== 20)) {
      const all = await tokenInventory(database, address, { limit: 1_000 })
      const walked: typeof all = []
      for (let beyond: InventoryKey | undefined; ; ) {
        const stretch = await tokenInventory(database, address, { limit: 2, beyond })
        walked.push(...stretch)
        beyond = stretch.at(-1)?.key
        if (!beyond) break
      }
      expect(all.length).toBeGreaterThan(2)
      expect(walked).toEqual(all)
    }
    await database.close()
  })
})
