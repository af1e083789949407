// What a database engine must do. One SQL text serves both engines (parameters are $1, $2, ...); bytes come back as
// Uint8Array, integers as numbers.
export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>

export type TableShape = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: 'bytes' | 'int' | 'text' | 'real' }[]
}

export type Queries = {
  all: <R extends Row>(sql: string, values?: readonly Value[]) => Promise<R[]>
  /** Rows changed. */
  run: (sql: string, values?: readonly Value[]) => Promise<number>
  /** Many rows at once, each with all columns of the table in order; `onConflict` is the SQL behind those words. */
  insert: (table: TableShape, rows: readonly (readonly Value[])[], onConflict?: string) => Promise<void>
  /** The rows that have one of many keys, found by an index on the key's columns; `select` is a list of SQL. */
  lookup: <R extends Row>(table: TableShape, select: string, by: KeyColumns, keys: readonly Key[]) => Promise<R[]>
  /** Deletes the rows that have one of many keys. */
  remove: (table: TableShape, by: KeyColumns, keys: readonly Key[]) => Promise<void>
  /** The same number again: nothing was committed in between. Only where that costs next to nothing to find out. */
  commits?: () => number
}

type KeyColumns = readonly string[]
type Key = readonly Value[]

/** What only one process holds at a time. */
export type WriterLock = {
  /** The same database; its transactions fail once the pen is lost, however that happened. */
  readonly database: Database
  readonly release: () => Promise<void>
}

export type Database = Queries & {
  readonly engine: 'sqlite' | 'postgres'
  /** Commits when `work` resolves, rolls back when it throws. Writers wait for each other. */
  transaction: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>
  /** Makes this process the only writer of the chain until the release; undefined where another one is. */
  acquireWriterLock: () => Promise<WriterLock | undefined>
  close: () => Promise<void>
}
