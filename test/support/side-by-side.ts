const MAX_CONCURRENT = 10

/** Runs up to ten at a time, and fails with the first that fails. */
export async function sideBySide<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += MAX_CONCURRENT)
    await Promise.all(items.slice(at, at + MAX_CONCURRENT).map(each))
}
