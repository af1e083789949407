import type { Hex } from '../../chain/bytes/hex.ts'
import { createLru } from '../../lib/cache/lru.ts'

const KEPT = 1_000
const KEPT_MS = 5_000

/** One question at a time for an address, and its answer, where it is worth keeping, for all who ask shortly after. */
export function keptFor<T>(
  ask: (address: Hex) => Promise<T>,
  isKept: (answer: T) => boolean = () => true,
): (address: Hex) => Promise<T> {
  const kept = createLru<Hex, { readonly answer: Promise<T>; readonly untilMs: number }>(KEPT)
  return (address) => {
    const known = kept.get(address)
    if (known && known.untilMs > Date.now()) return known.answer
    const entry = { answer: ask(address), untilMs: Date.now() + KEPT_MS }
    const forget = (): void => {
      if (kept.get(address) === entry) kept.delete(address)
    }
    kept.set(address, entry)
    entry.answer.then((answer) => {
      if (!isKept(answer)) forget()
    }, forget)
    return entry.answer
  }
}
