import { expect, test } from 'vitest'
import type { Hex } from '../../chain/bytes/hex.ts'
import { cachedByAddress, createAddressCache, createContractCaches, createContractReader } from './contract-reader.ts'

const ADDRESS: Hex = `0x${'11'.repeat(20)}`

test('concurrent calls for one address share one question to the node', async () => {
  let questions = 0
  const ask = cachedByAddress(createAddressCache<number>(), async () => ++questions)
  expect(await Promise.all([ask(ADDRESS), ask(ADDRESS)])).toEqual([1, 1])
  expect(await ask(ADDRESS)).toBe(1)
})

test('a failure is not cached, nor an answer that is not cacheable', async () => {
  let questions = 0
  const failing = cachedByAddress(createAddressCache<number>(), async () => {
    if (++questions === 1) throw new Error('away')
    return questions
  })
  await expect(failing(ADDRESS)).rejects.toThrow('away')
  expect(await failing(ADDRESS)).toBe(2)
  const uncacheable = cachedByAddress(
    createAddressCache<number>(),
    async () => ++questions,
    () => false,
  )
  expect(await uncacheable(ADDRESS)).not.toBe(await uncacheable(ADDRESS))
})

test('an address without code is read again, since the next block may have its code', async () => {
  const codes = ['0x', '0x00']
  const node = { batch: async () => [{ type: 'result', result: codes.shift() ?? '0xff' }] as never }
  const { codeAt } = createContractReader(node, createContractCaches())
  expect((await codeAt(ADDRESS)).code).toHaveLength(0)
  expect((await codeAt(ADDRESS)).code).toHaveLength(1)
  expect((await codeAt(ADDRESS)).code[0]).toBe(0)
})
