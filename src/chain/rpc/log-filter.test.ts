import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressToHex, EMPTY_BYTES, wordToHex } from '../bytes/hex.ts'
import { bloomOfLogs } from '../codec/bloom.ts'
import { logFilterFrom, matchesLog, matchesRpcLog, mayMatchBloom } from './log-filter.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const TOPIC = wordToHex(7n)

function criteria(addresses: readonly bigint[] | null, ...topics: (readonly bigint[] | null)[]) {
  return {
    addresses: addresses && new Set(addresses),
    topics: topics.map((each) => each && new Set(each)),
  }
}

describe('criteria for logs', () => {
  test('criteria for logs take anything for null, for an empty list, and for what is left out', () => {
    expect(logFilterFrom({ address: [ADDRESS, ADDRESS] })).toEqual(criteria([BigInt(ADDRESS)]))
    expect(logFilterFrom({ address: [], topics: [null, [], [TOPIC]] })).toEqual(criteria(null, null, null, [7n]))
  })

  test('criteria for logs want every topic at its place, and a log may have more', () => {
    const log = { address: 1n, topics: [1n, 2n, 3n], data: EMPTY_BYTES }
    expect(matchesLog(criteria(null), log)).toBe(true)
    expect(matchesLog(criteria(null, null, [9n, 2n]), log)).toBe(true)
    expect(matchesLog(criteria(null, [2n]), log)).toBe(false)
    expect(matchesLog(criteria(null, null, null, null, null), log)).toBe(false)
    expect(matchesLog(criteria([2n, 1n]), log)).toBe(true)
    expect(matchesLog(criteria([2n]), log)).toBe(false)
  })

  const small = fc.bigInt(0n, 5n)
  const log = fc.record({ address: small, topics: fc.array(small, { maxLength: 4 }), data: fc.constant(EMPTY_BYTES) })
  const someOf = fc.option(fc.array(small, { minLength: 1, maxLength: 3 }))
  const wanted = fc
    .record({ addresses: someOf, topics: fc.array(someOf, { maxLength: 4 }) })
    .map(({ addresses, topics }) => criteria(addresses, ...topics))

  test('criteria for logs never pass over a block that has a match', () => {
    fc.assert(
      fc.property(wanted, fc.array(log, { maxLength: 3 }), (of, logs) => {
        const hasMatch = logs.some((each) => matchesLog(of, each))
        return !hasMatch || mayMatchBloom(of, bloomOfLogs(logs))
      }),
    )
  })

  test('criteria for logs see the same in a log as JSON-RPC spells it', () => {
    fc.assert(
      fc.property(wanted, log, (of, { address, topics, data }) => {
        const spelled = { address: addressToHex(address), topics: topics.map(wordToHex) }
        return matchesRpcLog(of, spelled) === matchesLog(of, { address, topics, data })
      }),
    )
  })
})
