import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonOf, jsonOfData, spelledBy, withJsonOfData } from './json-text.ts'

const anyList = fc.array(fc.jsonValue(), { maxLength: 5 })
function spelled(list: unknown[]): unknown[] {
  return spelledBy(list, () => JSON.stringify(list))
}

describe('JSON put together', () => {
  test('is what JSON.stringify gives, wherever a list stands that says how it is spelled', () => {
    fc.assert(
      fc.property(
        anyList,
        fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })),
        (members, rest) => {
          const list = spelled(members)
          const places = [
            list,
            [list],
            [{ ...rest, list }],
            { list, again: list, ...rest },
            [{ list }, { list }],
            [[list]],
          ]
          for (const place of [...places, rest, [rest]]) expect(jsonOf(place)).toBe(JSON.stringify(place))
        },
      ),
    )
  })

  test('takes the spelling that the list says, alone, in an object and in the only object of a list', () => {
    const list = spelledBy([1, 2], () => '[1, 2]')
    expect(jsonOf(list)).toBe('[1, 2]')
    expect(jsonOf({ list })).toBe('{"list":[1, 2]}')
    expect(jsonOf([{ page: '1', list }])).toBe('[{"page":"1","list":[1, 2]}]')
    expect(jsonOf([...list])).toBe('[1,2]')
  })

  test('of the data of an answer goes out as it is, and is read for whoever looks', () => {
    const answer = Object.freeze(
      withJsonOfData<{ a: number }[], { truncated: true }>('[{"a": 1}]', { truncated: true }),
    )
    expect(jsonOfData(answer)).toBe('[{"a": 1}]')
    expect(answer).toEqual({ truncated: true, data: [{ a: 1 }] })
    expect(answer.data).toBe(answer.data)
    expect(jsonOfData({ data: [1] })).toBe('[1]')
  })
})
