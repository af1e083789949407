import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const FILLER = ' '.repeat(60_000)

test('a long text that is nested a million times is refused before it is read', () => {
  for (const [opening, closing] of [
    ['[', ']'],
    ['{"a":', '}'],
    [' [ ', ' ] '],
  ] as const) {
    const text = `${opening.repeat(1_000_000)}1${closing.repeat(1_000_000)}`
    expect(() => parseJson(text)).toThrow('nested more than 500 times')
  }
})

test('brackets inside strings are not nesting, whatever is escaped before them', () => {
  const value = { text: '['.repeat(60_000), escaped: '\\"[{'.repeat(5_000), backslashes: '\\\\' }
  expect(parseJson(JSON.stringify(value))).toEqual(value)
})

test('a string of backslashes and quotes costs no more than its length', () => {
  const value = ['\\'.repeat(200_000), '"'.repeat(200_000)]
  expect(parseJson(JSON.stringify(value))).toEqual(value)
})

test('a long text that is not JSON is refused as such', () => {
  expect(() => parseJson(`${FILLER}["open`)).toThrow(SyntaxError)
  expect(() => parseJson(`${FILLER}`)).toThrow(SyntaxError)
})
