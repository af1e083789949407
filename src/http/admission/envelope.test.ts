import { describe, expect, test } from 'vitest'
import { Failure } from '../../contract/failure.ts'
import { refusedFrom, successBytes } from './envelope.ts'

describe('the envelope', () => {
  test('has code, msg and data, and extras only when given', () => {
    expect(successBytes({ data: ['a'] }).toString()).toBe('{"code":"0","msg":"","data":["a"]}')
    expect(successBytes({ data: [], msg: 'é', truncated: true, nextCursor: 'c' }).toString()).toBe(
      '{"code":"0","msg":"é","data":[],"truncated":true,"nextCursor":"c"}',
    )
  })

  test('makes the bytes of a frozen answer once, and of others each time', () => {
    const kept = Object.freeze({ data: ['a'] })
    expect(successBytes(kept)).toBe(successBytes(kept))
    const changing = { data: ['a'] }
    const before = successBytes(changing)
    changing.data = ['b']
    expect(successBytes(changing).toString()).not.toBe(before.toString())
  })

  test('spells a refusal with its code, its words and no data', () => {
    expect(refusedFrom(new Failure('tooManyRequests', 'slow down', { retryAfterS: 2 }))).toEqual({
      status: 429,
      text: '{"code":"50011","msg":"slow down","data":[]}',
      retryAfterS: 2,
    })
  })
})
