type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Drops what is undefined: with exact optional properties, that is not the same as absent. */
export function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>
}
