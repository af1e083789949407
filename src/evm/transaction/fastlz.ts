// The length to which FastLZ (level 1) compresses bytes. OP chains charge L1 data by it, so the greedy search, its hash and its limits
// must be exactly those of the reference encoder. The compressed output itself is never produced.

export function fastLzLength(bytes: Uint8Array): number {
  positions.fill(0)
  const limit = Math.max(0, bytes.length - TAIL)
  let length = 0
  let literalsFrom = 0
  let at = 2
  for (;;) {
    const match = nextMatch(bytes, at, limit)
    if (match === null) break
    length += literalLength(match.at - literalsFrom)
    const matched = sharedBytes(bytes, match.earlier + 3, match.at + 3, limit + TAIL - 4)
    length += matchLength(matched)
    at = match.at + matched
    remember(bytes, at++)
    remember(bytes, at++)
    literalsFrom = at
  }
  return length + literalLength(bytes.length - literalsFrom)
}

const TAIL = 13
const WINDOW = 0x1fff
const LONGEST_RUN = 32
const LONGEST_MATCH = 262

/** Where each hash of three bytes was last seen. */
const positions = new Int32Array(WINDOW + 1)

function nextMatch(bytes: Uint8Array, from: number, limit: number): { at: number; earlier: number } | null {
  for (let at = from; at < limit; at++) {
    const sequence = threeBytes(bytes, at)
    const hash = hashOf(sequence)
    const earlier = positions[hash]!
    positions[hash] = at
    const isMatch = at - earlier <= WINDOW && sequence === threeBytes(bytes, earlier)
    // The reference steps past a candidate before it looks at the limit: one at the last position does not count.
    if (isMatch) return at + 1 < limit ? { at, earlier } : null
  }
  return null
}

/** How many bytes are the same at two positions; the reference counts the first different byte too. */
function sharedBytes(bytes: Uint8Array, earlier: number, at: number, end: number): number {
  const most = end - at
  for (let length = 0; length < most; length++) {
    if (bytes[earlier + length] !== bytes[at + length]) return length + 1
  }
  return Math.max(0, most)
}

function literalLength(count: number): number {
  const rest = count % LONGEST_RUN
  return (LONGEST_RUN + 1) * Math.floor(count / LONGEST_RUN) + (rest === 0 ? 0 : rest + 1)
}

function matchLength(length: number): number {
  const beyondFirst = length - 1
  return 3 * Math.floor(beyondFirst / LONGEST_MATCH) + (beyondFirst % LONGEST_MATCH >= 6 ? 3 : 2)
}

function remember(bytes: Uint8Array, at: number): void {
  positions[hashOf(threeBytes(bytes, at))] = at
}

function threeBytes(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
}

function hashOf(sequence: number): number {
  return (Math.imul(0x9e3779b9, sequence) >>> 19) & WINDOW
}
