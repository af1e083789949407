const AT_ONCE = 10

/** Some at a time: while one waits for its answer the others are served. Fails with the first that fails. */
export async function sideBySide<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(each))
}
