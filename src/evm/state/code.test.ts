import { expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { decodeConstant, EMPTY_CODE, jumpDestinationsOf, toCode } from './code.ts'

test('a JUMPDEST byte inside a pushed constant is no destination', () => {
  const code = toCode(assemble('PUSH2 0x5b5b JUMPDEST'))
  expect([...jumpDestinationsOf(code)]).toEqual([0, 0, 0, 1])
})

test('a push cut short by the end of the code is filled up with zeros', () => {
  const code = toCode(assemble('PUSH4 0xabcd'))
  expect(decodeConstant(code, 1, 4)).toBe(0xabcd0000n)
})

test('all code without bytes is the same empty code', () => {
  expect(toCode(new Uint8Array(0))).toBe(EMPTY_CODE)
})
