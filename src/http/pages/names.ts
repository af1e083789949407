// The addresses that a page is about to show, so that their names can be asked for at once.
const MOST_ADDRESSES = 500

export const addressesIn = (data: unknown): string[] => {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (found.size >= MOST_ADDRESSES) return
    if (typeof value === 'string') {
      if (value.length === 42 && /^0x[0-9a-f]{40}$/.test(value)) found.add(value)
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each)
  }
  walk(data)
  return [...found]
}
