// Opaque cursors (docs/spec-gaps.md#10): the key of the last record shown, bound to the list that it came from.
import { Failure } from '../../contract/failure.ts'

/** The last record of a page, in the order of its list. */
export type Key = readonly (string | number)[]

const parts = {
  number: (part: unknown) => Number.isFinite(part),
  position: (part: unknown) => Number.isSafeInteger(part) && (part as number) >= 0,
  /** A hostile token may report sums above 2^256. */
  amount: (part: unknown) => typeof part === 'string' && /^\d{1,100}$/.test(part),
  address: (part: unknown) => typeof part === 'string' && /^0x[0-9a-f]{40}$/.test(part),
}

/** The kinds of the parts of a list's keys. */
export type KeyShape = readonly (keyof typeof parts)[]

export function cursorFrom(list: string, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

/** Refuses a cursor of another list: a walk that silently begins elsewhere would be worse. */
export function keyFrom(list: string, shape: KeyShape, cursor: string): Key {
  const [from, ...key] = parsed(cursor)
  const isKey = from === list && key.length === shape.length && shape.every((name, i) => parts[name](key[i]))
  if (!isKey) throw new Failure('parameterWrong', 'Parameter after error: must be a nextCursor of an earlier answer.')
  return key as Key
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
