// What a database engine must do. One SQL text serves both engines (parameters are $1, $2, ...); bytes come back as
// Uint8Array, integers as numbers.
export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>

export type Queries = {
  all: <R extends Row>(sql: string, values?: readonly Value[]) => Promise<R[]>
  /** Rows changed. */
  run: (sql: string, values?: readonly Value[]) => Promise<number>
}

export type Database = Queries & {
  readonly engine: 'sqlite' | 'postgres'
  /** Commits when `work` resolves, rolls back when it throws. Writers wait for each other. */
  transaction: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** The database does not answer or does not accept us. Trying again later can help. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
