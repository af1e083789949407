import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { plainFields } from '../contract/fields.ts'
import { successText } from './envelope.ts'
import { serializerOf } from './serializer.ts'

/** Any value that the schema allows; plain fields get digits and hex, others any text. */
const arbitraryOf = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodString) {
    return plainFields.has(schema)
      ? fc.stringMatching(/^[0-9a-fx.]{0,20}$/)
      : fc.string({ unit: 'binary', maxLength: 20 })
  }
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodUnion) return fc.oneof(...(schema.options as z.ZodType[]).map(arbitraryOf))
  if (schema instanceof z.ZodTuple) return fc.tuple(...(schema.def.items as z.ZodType[]).map(arbitraryOf))
  if (schema instanceof z.ZodArray) {
    const element = schema.element as z.ZodType
    return element instanceof z.ZodNever ? fc.constant([]) : fc.array(arbitraryOf(element), { maxLength: 3 })
  }
  if (schema instanceof z.ZodObject) {
    return fc.record(
      Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, arbitraryOf(field as z.ZodType)])),
    )
  }
  throw new Error(`no arbitrary for ${schema.constructor.name}`)
}

describe('the compiled serializer', () => {
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    it(`writes what JSON.stringify writes for ${name}, in ASCII`, () => {
      const serialize = serializerOf(endpoint.data)
      fc.assert(
        fc.property(arbitraryOf(endpoint.data), (data) => {
          const text = serialize(data)
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(data)))
          expect(text).toMatch(/^[\x20-\x7e]*$/)
        }),
        { numRuns: 50 },
      )
    })
  }

  it('escapes hostile names', () => {
    const serialize = serializerOf(z.array(z.string()))
    const hostile = ['"},{"x":"', '\\', '\u2028\u2029', '</script>', '\u0000', '💡', '\ud800', 'é']
    expect(JSON.parse(serialize(hostile))).toEqual(JSON.parse(JSON.stringify(hostile)))
  })
})

describe('the envelope', () => {
  const serialize = serializerOf(z.array(z.string()))

  it('has code, msg and data, and extras only when given', () => {
    expect(successText({ data: ['a'] }, serialize)).toBe('{"code":"0","msg":"","data":["a"]}')
    expect(successText({ data: [], msg: 'é', truncated: true, nextCursor: 'c' }, serialize)).toBe(
      '{"code":"0","msg":"\\u00e9","data":[],"truncated":true,"nextCursor":"c"}',
    )
    expect(successText({ data: [], nextCursor: 'c' }, serialize)).toBe(
      '{"code":"0","msg":"","data":[],"nextCursor":"c"}',
    )
  })
})
