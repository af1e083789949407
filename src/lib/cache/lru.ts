/** A map that forgets what was not used for the longest time once it holds `capacity` entries. */
export type Lru<K, V> = {
  get: (key: K) => V | undefined
  set: (key: K, value: V) => void
  delete: (key: K) => void
  readonly size: number
}

export function createLru<K, V>(capacity: number): Lru<K, V> {
  const entries = new Map<K, V>()
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A Map keeps the order of insertion: putting it in again makes it the newest. While there is much room nothing is
      // about to be forgotten, so the order need not be kept.
      if (entries.size * 2 > capacity) {
        entries.delete(key)
        entries.set(key, value)
      }
      return value
    },
    set: (key, value) => {
      entries.delete(key)
      if (entries.size >= capacity) entries.delete(entries.keys().next().value as K)
      entries.set(key, value)
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
