// Syntax highlighting of verified source files, by the hash of their text.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../engine/database.ts'
import { bytes, createTable, hexToStored, text } from '../schema/table.ts'

export type HighlightedRow = {
  readonly contentHash: Hex
  readonly language: string
  /** JSON: for each line pairs of token kind and length. */
  readonly shape: string
}

const highlighted = createTable<HighlightedRow>('highlighted_files', {
  contentHash: bytes,
  language: text,
  shape: text,
})

export function addHighlighted(queries: Queries, rows: readonly HighlightedRow[]): Promise<void> {
  return queries.insert(
    highlighted,
    rows.map((row) => highlighted.encode(row)),
    '(content_hash, language) do nothing',
  )
}

/** By the primary key. */
export async function highlightedShape(
  queries: Queries,
  { contentHash, language }: Pick<HighlightedRow, 'contentHash' | 'language'>,
): Promise<string | undefined> {
  const [row] = await queries.all<{ shape: string }>(
    `select shape
    from highlighted_files
    where content_hash = $1 and language = $2`,
    [hexToStored(contentHash), language],
  )
  return row?.shape
}
