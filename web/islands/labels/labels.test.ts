import { describe, expect, test } from 'vitest'
import { LONGEST_LABEL, labelsFrom, MOST_LABELS } from './labels.ts'

const ADDRESS = `0x${'aB'.repeat(20)}`

describe('a file of labels', () => {
  test('a file of labels is read with addresses in lower case and names of a bounded length', () => {
    expect(labelsFrom(JSON.stringify({ [ADDRESS]: ` ${'x'.repeat(60)} ` }))).toEqual({
      [ADDRESS.toLowerCase()]: 'x'.repeat(LONGEST_LABEL),
    })
  })

  test('a file of labels is refused whole where anything in it is wrong', () => {
    for (const wrong of ['', '[]', 'null', '"x"', '{"0x12":"short"}', `{"${ADDRESS}":""}`, `{"${ADDRESS}":1}`]) {
      expect(() => labelsFrom(wrong), wrong).toThrow('Labels are a JSON object')
    }
  })

  test('a file of labels is refused where it holds too many', () => {
    const many = Array.from({ length: MOST_LABELS + 1 }, (_, i) => [`0x${i.toString(16).padStart(40, '0')}`, 'x'])
    expect(() => labelsFrom(JSON.stringify(Object.fromEntries(many)))).toThrow('At most')
  })
})
