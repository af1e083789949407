// ABI selectors and their meanings: human-readable items from every verified ABI. The table is named `signatures`.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { bytes, createTable, hexToStored, oneOf, text } from '../schema/table.ts'

export const SELECTOR_KINDS = ['function', 'event', 'error'] as const
export type SelectorKind = (typeof SELECTOR_KINDS)[number]

export type SelectorRow = {
  readonly kind: SelectorKind
  /** Four bytes of a function or an error, 32 of an event. */
  readonly selector: Hex
  /** Such as `function transfer(address to, uint256 amount)`. */
  readonly text: string
}

const selectors = createTable<SelectorRow>('signatures', { kind: oneOf(SELECTOR_KINDS), selector: bytes, text })

/** Most selectors have one or two meanings; anybody can add more by verifying a contract. */
const MAX_MEANINGS = 20

export function addSelectors(queries: Queries, rows: readonly SelectorRow[]): Promise<void> {
  return queries.insert(
    selectors,
    rows.map((row) => selectors.encode(row)),
    '(kind, selector, text) do nothing',
  )
}

/** By the primary key. */
export async function selectorMeanings(queries: Queries, kind: SelectorKind, selector: Hex): Promise<string[]> {
  const rows = await queries.all<{ text: string }>(
    `select text
    from signatures
    where kind = $1 and selector = $2
    order by text
    limit ${MAX_MEANINGS}`,
    [SELECTOR_KINDS.indexOf(kind), hexToStored(selector)],
  )
  return rows.map((row) => row.text)
}
