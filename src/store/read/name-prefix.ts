// Names by their beginning, along the indexes of migration 0009.
import type { Value } from '../engine/database.ts'

const LONGEST_INDEXED = 64

/** The expression that is indexed. */
function indexed(column: string): string {
  return `hex(lower(substr(${column}, 1, ${LONGEST_INDEXED})))`
}

/**
 * Addresses of rows whose column begins with the text, in any case, along the index: a name that is the text comes before every
 * longer one. `$1` and `$2` are the bounds.
 */
export function addressesNamed(table: string, column: string, limit: number): string {
  return `select * from (select address from ${table} where ${indexed(column)} >= $1 and ${indexed(column)} < $2 order by ${indexed(column)} limit ${limit}) x`
}

export function prefixBounds(text: string): Value[] {
  const begun = [...text.toLowerCase()].slice(0, LONGEST_INDEXED).join('')
  const digits = Buffer.from(begun).toString('hex').toUpperCase()
  // After every digit.
  return [digits, `${digits}G`]
}
