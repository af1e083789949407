// Everything the index holds, as text that two indexes of the same chain have in common, byte for byte.
import type { Database, Row } from '../../src/store/engine/database.ts'
import * as tables from '../../src/store/schema/tables.ts'

export async function dumpAll(database: Database): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const { name, columns } of chainTables) {
    const names = columns.map((column) => column.name)
    const rows = await database.all(`select ${names.join(', ')} from ${name} order by ${names.join(', ')}`)
    dump[name] = rows.map((row) => lineOf(row, names))
  }
  return dump
}

/** What comes from outside the chain is left out. */
export const chainTables = Object.values(tables)
  .filter((value) => typeof value === 'object' && 'columns' in value)
  .filter(({ name }) => name !== tables.market.name)

function lineOf(row: Row, names: readonly string[]): string {
  return names
    .map((name) => {
      const value = row[name]!
      return value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : String(value)
    })
    .join('|')
}
