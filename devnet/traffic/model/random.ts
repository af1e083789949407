// Repeatable random numbers: the same seed gives the same numbers on every machine.

import type { Hex } from '../../../src/chain/bytes/hex.ts'

export type Random = {
  /** A whole number from 0 to one below `limit`, which is at most 2^32. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Different members of a list, in random order. */
  pickMany<T>(list: readonly T[], count: number): T[]
  /** A number with three significant digits; every order of magnitude between the two is equally likely. */
  amount(low: number, high: number): number
  bytes(length: number): Hex
}

export function createRandom(seed: number): Random {
  const next = sfc32(seed)
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    chance: (probability) => next() < probability * 2 ** 32,
    pick: (list) => list[below(list.length)]!,
    pickMany: (list, count) => {
      const rest = [...list]
      return Array.from({ length: Math.min(count, list.length) }, () => rest.splice(below(rest.length), 1)[0]!)
    },
    amount: (low, high) => Number((low * (high / low) ** (next() / 2 ** 32)).toPrecision(3)),
    bytes: (length) => `0x${Array.from({ length }, () => below(256).toString(16).padStart(2, '0')).join('')}`,
  }
}

/** Chris Doty-Humphrey's small fast counter: 128 bits of state, 32 bits per number. */
function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [0, seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, 1]
  const next = () => {
    const sum = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = (b ^ (b >>> 9)) >>> 0
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0
    return sum
  }
  for (let warmUp = 0; warmUp < 15; warmUp++) next()
  return next
}
