import { describe, expect, test } from 'vitest'
import { Failure } from '../../contract/failure.ts'
import { refusedFrom, successBytes } from './envelope.ts'

describe('the envelope', () => {
  test('the envelope has code, msg and data, and extras only when given', () => {
    expect(successBytes({ data: ['a'] }).toString()).toBe('{"code":"0","msg":"","data":["a"]}')
    expect(successBytes({ data: [], msg: 'é', truncated: true, nextCursor: 'c' }).toString()).toBe(
      '{"code":"0","msg":"é","data":[],"truncated":true,"nextCursor":"c"}',
    )
  })

  test('the envelope sends the JSON that the handler has already, and spells the data otherwise', () => {
    const answer = { data: ['a'], dataJson: () => '["a"]' }
    expect(successBytes(answer).toString()).toBe(successBytes({ data: ['a'] }).toString())
  })

  test('the envelope spells a refusal with its code, its words and no data', () => {
    expect(refusedFrom(new Failure('tooManyRequests', 'slow down', { retryAfterS: 2 }))).toEqual({
      status: 429,
      text: '{"code":"50011","msg":"slow down","data":[]}',
      retryAfterS: 2,
    })
  })
})
