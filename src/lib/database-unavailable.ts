// The store throws this error; http and cli recognise it without importing the store.
const TYPE = 'database unavailable'

/** The database does not answer or refuses the connection. The same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly type = TYPE
}

/** An error that comes from a worker thread has lost its class, but its fields are still there. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === TYPE
}
