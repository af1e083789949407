import { expect, test } from 'vitest'
import { bigintToBytes } from '../bytes/hex.ts'
import { bloomMayContain, bloomOfLogs, EMPTY_BLOOM, unionOfBlooms } from './bloom.ts'

const log = { address: 0xdeadn, topics: [1n, 2n], data: Uint8Array.of(9) }
const bloom = bloomOfLogs([log])

test('a bloom contains addresses and topics of its logs, and hardly anything else', () => {
  expect(bloomMayContain(bloom, bigintToBytes(0xdeadn, 20))).toBe(true)
  expect(bloomMayContain(bloom, bigintToBytes(2n, 32))).toBe(true)
  expect(bloomMayContain(bloom, bigintToBytes(3n, 32))).toBe(false)
  expect(bloomMayContain(bloom, bigintToBytes(0xdeadn, 32))).toBe(false)
})

test('no logs give the empty bloom, which stays empty in a union', () => {
  expect(bloomOfLogs([])).toEqual(EMPTY_BLOOM)
  expect(unionOfBlooms([EMPTY_BLOOM, bloom])).toEqual(bloom)
  expect(EMPTY_BLOOM.every((byte) => byte === 0)).toBe(true)
})
