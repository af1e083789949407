// What selectors, topics and error selectors may mean: human-readable ABI items, from every verified ABI.
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

const signatures = createTable<SelectorRow>('signatures', { kind: oneOf(SELECTOR_KINDS), selector: bytes, text })

/** Meanings of one selector that are looked at; honest ones have one or two. */
const MOST_MEANINGS = 20

export function addSelectors(queries: Queries, rows: readonly SelectorRow[]): Promise<void> {
  return queries.insert(
    signatures,
    rows.map((row) => signatures.encode(row)),
    '(kind, selector, text) do nothing',
  )
}

export async function selectorMeanings(queries: Queries, kind: SelectorKind, selector: Hex): Promise<string[]> {
  const rows = await queries.all<{ text: string }>(
    `select text from signatures where kind = $1 and selector = $2 order by text limit ${MOST_MEANINGS}`,
    [SELECTOR_KINDS.indexOf(kind), hexToStored(selector)],
  )
  return rows.map((row) => row.text)
}
