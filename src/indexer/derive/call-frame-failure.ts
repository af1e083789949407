import type { CallFrame } from '../../chain/trace/call-frame.ts'

/** Why a frame failed, in words that can be stored; null where it did not fail. */
export function failureOf({ error, revertReason }: CallFrame): string | null {
  const words = revertReason ?? error
  // PostgreSQL refuses U+0000, and a contract may revert with a book.
  return words === null ? null : words.replaceAll('\u0000', '').slice(0, MAX_WORDS)
}

const MAX_WORDS = 1_000
