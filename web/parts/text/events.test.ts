import { describe, expect, test } from 'vitest'
import { decodedEvent } from './events.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
function word(value: bigint) {
  return value.toString(16).padStart(64, '0')
}
const [from, to] = [1n, 2n].map((value) => `0x${word(value)}`) as [string, string]

describe('events without an ABI', () => {
  test('events without an ABI are distinguished by how many topics they have', () => {
    expect(decodedEvent([TRANSFER, from, to], `0x${word(5n)}`)?.arguments.at(-1)).toEqual({
      name: 'value',
      type: 'uint',
      value: '5',
    })
    expect(decodedEvent([TRANSFER, from, to, `0x${word(7n)}`], '0x')?.arguments.at(-1)?.name).toBe('tokenId')
  })

  test('events without an ABI are left as they came where their data does not fit', () => {
    expect(decodedEvent([TRANSFER, from, to], '0x')).toBeUndefined()
    expect(decodedEvent([TRANSFER, from, to], `0x${word(5n)}00`)).toBeUndefined()
    expect(decodedEvent([], '0x')).toBeUndefined()
  })
})
