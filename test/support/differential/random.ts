// Repeatable chance: the same seed gives the same run.

export type Random = {
  /** 0 up to, not including, `limit`. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(from: readonly T[]) => T
  readonly bytes: (length: number) => Uint8Array
  /** Words as programs have them: mostly small, sometimes huge or all ones. */
  readonly word: () => bigint
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const bytes = (length: number) => Uint8Array.from({ length }, () => below(256))
  return {
    below,
    bytes,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)]!,
    word() {
      const kind = below(10)
      if (kind < 6) return BigInt(below(40))
      if (kind === 6) return (1n << 256n) - 1n - BigInt(below(3))
      if (kind === 7) return 1n << BigInt(below(256))
      return bytes(1 + below(32)).reduce((word, byte) => (word << 8n) | BigInt(byte), 0n)
    },
  }
}
