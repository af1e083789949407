import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, paramsFrom } from './endpoint.ts'
import { Failure } from './failure.ts'
import { address, hashes, height, label, numberOrder, ordered, paging } from './params.ts'

const list = {
  id: 'T1',
  method: 'GET',
  path: '/test/list',
  summary: 'A list',
  params: z
    .object({ address, first: height.optional(), last: height.optional(), ids: hashes.optional(), ...paging(50) })
    .superRefine(ordered('first', 'last', numberOrder)),
  data: z.array(z.string()),
} as const satisfies Endpoint

const submission = {
  ...list,
  method: 'POST',
  params: z.object({
    name: label('must be a string'),
    isFast: z.boolean('must be true or false').default(false),
    links: z.array(z.object({ to: address }, 'must be an object'), 'must be a list').optional(),
  }),
} as const satisfies Endpoint

const ADDRESS = `0x${'ab'.repeat(20)}`

function failureOf(endpoint: Endpoint, raw: Record<string, unknown>): Pick<Failure, 'key' | 'message'> {
  try {
    paramsFrom(endpoint, raw)
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    const { key, message } = error as Failure
    return { key, message }
  }
  throw new Error('accepted')
}

test('parameters leave parsed, with defaults for what is left out', () => {
  expect(paramsFrom(list, { address: ADDRESS.toUpperCase().replace('0X', '0x'), first: '5', limit: '50' })).toEqual({
    address: ADDRESS,
    first: 5,
    page: 1,
    limit: 50,
  })
})

test('a blank parameter is an absent one', () => {
  expect(paramsFrom(list, { address: ADDRESS, page: '', limit: '', first: '' })).toEqual({
    address: ADDRESS,
    page: 1,
    limit: 20,
  })
  expect(failureOf(list, { address: '' })).toEqual({
    key: 'parameterMissing',
    message: 'Parameter address can not be empty.',
  })
})

test('null in a body is an absent parameter, and false and zero are not', () => {
  expect(paramsFrom(submission, { name: 'a', isFast: null })).toEqual({ name: 'a', isFast: false })
  expect(paramsFrom(submission, { name: 'a', isFast: true })).toEqual({ name: 'a', isFast: true })
  expect(failureOf(submission, { name: 0 })).toEqual({
    key: 'parameterWrong',
    message: 'Parameter name error: must be a string.',
  })
})

test('what the endpoint does not know is left out, names of the language included', () => {
  const raw = JSON.parse(`{"address":"${ADDRESS}","tag":"x","__proto__":{"page":"9"},"constructor":"y"}`)
  expect(paramsFrom(list, raw)).toEqual({ address: ADDRESS, page: 1, limit: 20 })
})

test('a parameter that is only inherited counts as missing', () => {
  expect(failureOf(list, Object.create({ address: ADDRESS })).key).toBe('parameterMissing')
})

test('the first wrong parameter is named with what would be right', () => {
  expect(failureOf(list, { address: '0x12', page: '0' })).toEqual({
    key: 'parameterWrong',
    message: 'Parameter address error: must be 0x followed by 40 hex digits.',
  })
})

test('a query parameter that came twice is refused as such', () => {
  expect(failureOf(list, { address: [ADDRESS, ADDRESS] })).toEqual({
    key: 'parameterWrong',
    message: 'Parameter address error: given more than once.',
  })
})

test('a list in a body is a value like any other', () => {
  expect(failureOf(submission, { name: ['a', 'b'] }).message).toBe('Parameter name error: must be a string.')
})

test('too many values are a refusal of their own', () => {
  const many = Array(21)
    .fill(`0x${'ab'.repeat(32)}`)
    .join(',')
  expect(failureOf(list, { address: ADDRESS, ids: many })).toEqual({
    key: 'tooManyValues',
    message: 'Parameter ids count exceeds the limit: at most 20.',
  })
})

test('a rule across two parameters is reported on the first of them', () => {
  expect(failureOf(list, { address: ADDRESS, first: '8', last: '7' })).toEqual({
    key: 'parameterWrong',
    message: 'Parameter first error: must not be above last.',
  })
  expect(paramsFrom(list, { address: ADDRESS, first: '7', last: '7' })).toMatchObject({ first: 7, last: 7 })
  expect(paramsFrom(list, { address: ADDRESS, first: '7' })).not.toHaveProperty('last')
})

test('a wrong value inside a list is named by its path', () => {
  expect(failureOf(submission, { name: 'a', links: [{ to: ADDRESS }, { to: '0x1' }] }).message).toBe(
    'Parameter links.1.to error: must be 0x followed by 40 hex digits.',
  )
  expect(failureOf(submission, { name: 'a', links: [{}] })).toEqual({
    key: 'parameterMissing',
    message: 'Parameter links.0.to can not be empty.',
  })
})
