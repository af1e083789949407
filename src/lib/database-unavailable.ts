// The store throws this error; http and cli recognise it without importing the store.
const TYPE = 'database unavailable'

/** Why nothing can be written: the disk is full, another process has locked the file, or nobody may write to it. */
export type StorageProblem = 'full' | 'locked' | 'read-only'

/** The database does not answer, refuses the connection, or cannot write. The same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly type = TYPE
  readonly problem: StorageProblem | null

  constructor(
    message: string,
    { problem = null, ...options }: ErrorOptions & { problem?: StorageProblem | null } = {},
  ) {
    super(message, options)
    this.problem = problem
  }
}

/** An error that comes from a worker thread has lost its class, but its fields are still there. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === TYPE
}

export function storageProblemOf(error: unknown): StorageProblem | null {
  return isDatabaseUnavailable(error) ? (error as DatabaseUnavailable).problem : null
}
