import { expect, test } from 'vitest'
import { parseForm } from './form.ts'

test('a field that is sent twice keeps its last value', () => {
  expect(parseForm('name=one&name=two&token=a+b%26c')).toEqual({ name: 'two', token: 'a b&c' })
})

test('a field with the name of a property of objects is only a field', () => {
  expect(Object.getPrototypeOf(parseForm('__proto__=x'))).toBe(Object.prototype)
})
