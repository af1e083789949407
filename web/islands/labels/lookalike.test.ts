import { describe, expect, test } from 'vitest'
import { lookalikesAmong } from './lookalike.ts'

const mine = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const fake = '0xf39f0000000000000000000000000000000b2266'
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

describe('look-alikes', () => {
  test('look-alikes are two addresses on a page that begin and end alike', () => {
    expect([...lookalikesAmong([mine, other, fake], [])]).toEqual([
      [mine, fake],
      [fake, mine],
    ])
    expect(lookalikesAmong([mine, other], []).size).toBe(0)
    expect(lookalikesAmong([mine, mine], []).size).toBe(0)
  })

  test('look-alikes are never addresses that have a label', () => {
    expect([...lookalikesAmong([mine, fake], [mine])]).toEqual([[fake, mine]])
    expect([...lookalikesAmong([fake], [mine])]).toEqual([[fake, mine]])
  })
})
