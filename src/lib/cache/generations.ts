/**
 * A map that forgets, for where things come and go quickly: what was not used while `size` others were may be gone. Nothing is
 * ever deleted one by one, which costs more than all the rest once a map is large and full.
 */
export type Generations<K, V> = {
  get: (key: K) => V | undefined
  set: (key: K, value: V) => void
}

export function createGenerations<K, V>(size: number): Generations<K, V> {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  const set = (key: K, value: V): void => {
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    set,
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
  }
}
