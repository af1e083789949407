// 0x02 SHA-256, 0x03 RIPEMD-160, 0x04 identity: a fixed price plus a price per word.
import { createHash } from 'node:crypto'
import { priced, wordCount } from './precompile.ts'

export const sha256 = priced({
  cost: (input) => 60 + 12 * wordCount(input.length),
  run: (input) => new Uint8Array(createHash('sha256').update(input).digest()),
})

export const ripemd160 = priced({
  cost: (input) => 600 + 120 * wordCount(input.length),
  run(input) {
    const word = new Uint8Array(32)
    word.set(createHash('ripemd160').update(input).digest(), 12)
    return word
  },
})

export const identity = priced({
  cost: (input) => 15 + 3 * wordCount(input.length),
  run: (input) => input.slice(),
})
