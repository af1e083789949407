import type { Hex } from '../../chain/hex.ts'
import { createLru } from '../../lib/lru.ts'

const KEPT = 1_000
const KEPT_MS = 5_000

/** One question at a time for an address, and its answer for all who ask meanwhile and shortly after. */
export const keptFor = <T>(ask: (address: Hex) => Promise<T>): ((address: Hex) => Promise<T>) => {
  const kept = createLru<Hex, { readonly answer: Promise<T>; readonly untilMs: number }>(KEPT)
  return (address) => {
    const known = kept.get(address)
    if (known && known.untilMs > Date.now()) return known.answer
    const answer = ask(address)
    kept.set(address, { answer, untilMs: Date.now() + KEPT_MS })
    answer.catch(() => kept.delete(address))
    return answer
  }
}
