import fc from 'fast-check'
import { fromRlp, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from './hex.ts'
import { decodeRlp, encodeRlp, encodeTyped, type RlpItem, splitRlp, splitRlpList } from './rlp.ts'

const { item: anyItem } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item') as fc.Arbitrary<RlpItem>, { maxLength: 8 }),
  ),
}))

describe('rlp', () => {
  test('rlp encodes and decodes any item as viem does', () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const encoded = encodeRlp(item)
        expect(bytesToHex(encoded)).toBe(toRlp(item, 'hex'))
        expect(decodeRlp(encoded)).toEqual(fromRlp(encoded, 'bytes'))
      }),
    )
  })

  test('rlp encodes integers as their shortest bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (value) => {
        const digits = value.toString(16)
        const bytes = value === 0n ? '0x' : `0x${digits.length % 2 ? '0' : ''}${digits}`
        expect(encodeRlp(value)).toEqual(encodeRlp(hexToBytes(bytes)))
        if (value <= Number.MAX_SAFE_INTEGER) expect(encodeRlp(Number(value))).toEqual(encodeRlp(value))
      }),
    )
  })

  test.each([-1n, 1n << 256n, -1, 0.5, 2 ** 53])('rlp refuses %s as an integer', (value) => {
    expect(() => encodeRlp(value)).toThrow(/is not an unsigned integer|is longer than 256 bits/)
  })

  test('rlp grows beyond its first buffer, inside a list too', () => {
    const long = new Uint8Array(100_000).fill(7)
    expect(decodeRlp(encodeRlp([1, long, [long, 2]]))).toEqual([Uint8Array.of(1), long, [long, Uint8Array.of(2)]])
  })

  test('rlp puts encoded parts in as they are', () => {
    expect(encodeRlp([{ rlp: encodeRlp([1, 2]) }, 3])).toEqual(encodeRlp([[1, 2], 3]))
  })

  test('rlp puts the type in front of an envelope', () => {
    expect(bytesToHex(encodeTyped(2, [1]))).toBe('0x02c101')
  })

  test('rlp splits a row of items, and the items of a list, without decoding them', () => {
    const [first, second] = [encodeRlp([1, [2]]), encodeRlp(new Uint8Array(60))]
    expect(splitRlp(new Uint8Array([...first, ...second]))).toEqual([first, second])
    expect(splitRlpList(encodeRlp([{ rlp: first }, { rlp: second }]))).toEqual([first, second])
  })

  test.each([
    ['nothing', '0x', 'input ends'],
    ['bytes behind the item', '0x0102', '1 bytes follow'],
    ['a prefix before a single byte', '0x817f', 'single byte'],
    ['a long form for a string of 55 bytes', `0xb837${'00'.repeat(55)}`, 'long form'],
    ['a long form for a short list', '0xf801c0', 'long form'],
    ['a length with a leading zero', `0xb90040${'00'.repeat(64)}`, 'leading zero'],
    ['a cut length', '0xb9ff', 'length is cut off'],
    ['a cut string', '0x8401', 'longer than what contains it'],
    ['an item that sticks out of its list', '0xc182ffff', 'longer than what contains it'],
    ['a length beyond memory', '0xbfffffffffffffffff', 'longer than what contains it'],
    ['lists without end', `0x${'c1'.repeat(100)}c0`, 'bytes'],
  ])('the RLP decoder refuses %s', (_, hex, problem) => {
    expect(() => decodeRlp(hexToBytes(hex))).toThrow(problem)
  })

  test('rlp refuses lists nested too deep instead of exhausting the stack', () => {
    let nested: Uint8Array = encodeRlp([])
    for (let i = 0; i < 10_000; i++) nested = encodeRlp([{ rlp: nested }])
    expect(() => decodeRlp(nested)).toThrow('nested deeper')
  })
})
