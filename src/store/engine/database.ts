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
  /** Returns the number of changed rows. */
  run: (sql: string, values?: readonly Value[]) => Promise<number>
  /** Inserts many rows, each with all columns of the table in order; `onConflict` is the SQL that follows `on conflict`. */
  insert: (table: TableShape, rows: readonly (readonly Value[])[], onConflict?: string) => Promise<void>
  /** Reads the rows that have one of many keys; the key's columns must have an index. `select` is a list of SQL expressions. */
  lookup: <R extends Row>(table: TableShape, select: string, by: KeyColumns, keys: readonly Key[]) => Promise<R[]>
  /** Deletes the rows that have one of many keys. */
  remove: (table: TableShape, by: KeyColumns, keys: readonly Key[]) => Promise<void>
  /** While the number is the same, nothing was committed. Only an engine that reads it almost for free has this. */
  commits?: () => number
}

type KeyColumns = readonly string[]
type Key = readonly Value[]

/** Held by the one process that writes the chain into the store. */
export type WriterLock = {
  /** The same database; its transactions fail once the lock is lost, whatever the cause. */
  readonly database: Database
  readonly release: () => Promise<void>
}

/** Another process that writes the chain into the store. */
export type Writer = {
  /** Host and process id. */
  readonly holder: string
  /** How long nobody has seen it renew its lock. */
  readonly renewalAgeMs: number
}

export type ConnectionFigures = {
  /** Connections that broke, or were given up because nothing came from them, since the start. */
  readonly lost: number
  /** For how long a statement has been waiting for an answer; 0 while none is. */
  readonly silentMs: number
}

export type TransactionOptions = {
  /** For statements that take long, such as those of a migration. Only PostgreSQL ends slow statements. */
  readonly maxStatementMs?: number
}

export type Database = Queries & {
  readonly engine: 'sqlite' | 'postgres'
  /** Commits when `work` resolves, rolls back when it throws. Writers wait for each other. */
  transaction: <T>(work: (queries: Queries) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /** Makes this process the only writer of the chain until it releases the lock; undefined while another process holds it. */
  acquireWriterLock: () => Promise<WriterLock | undefined>
  /** Who had the writer lock when this process last failed to acquire it. */
  writer: () => Writer | undefined
  /** Only PostgreSQL has connections. */
  connections?: () => ConnectionFigures
  close: () => Promise<void>
}
