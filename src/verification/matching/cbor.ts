// Decodes the part of CBOR (RFC 8949) that compilers write into code: definite lengths, no tags, no floats, no 64-bit numbers.
// It stays handwritten because it must fail on the first byte that no compiler writes, at any offset, and say where a value ends:
// every byte of unknown code is tried as the start of metadata.

export type CborValue = number | boolean | string | Uint8Array | readonly CborValue[] | ReadonlyMap<string, CborValue>

const MAX_DEPTH = 4
const UINT = 0
const BYTES = 2
const TEXT = 3
const ARRAY = 4
const MAP = 5
const SIMPLE = 7
const FALSE = 20
const TRUE = 21

/** One value and the offset behind it; undefined where the bytes at `at` are not such a value. */
export function decodeCbor(bytes: Uint8Array, at: number, depth = 0): { value: CborValue; end: number } | undefined {
  const head = headAt(bytes, at)
  if (head === undefined || depth > MAX_DEPTH) return undefined
  const { major, argument, end } = head
  switch (major) {
    case UINT:
      return { value: argument, end }
    case BYTES:
    case TEXT: {
      const stop = end + argument
      if (stop > bytes.length) return undefined
      const content = bytes.subarray(end, stop)
      return { value: major === BYTES ? content : Buffer.from(content).toString('latin1'), end: stop }
    }
    case ARRAY: {
      const items: CborValue[] = []
      let next = end
      for (let i = 0; i < argument; i++) {
        const item = decodeCbor(bytes, next, depth + 1)
        if (item === undefined) return undefined
        items.push(item.value)
        next = item.end
      }
      return { value: items, end: next }
    }
    case MAP: {
      const entries = new Map<string, CborValue>()
      let next = end
      for (let i = 0; i < argument; i++) {
        const key = decodeCbor(bytes, next, depth + 1)
        if (key === undefined || typeof key.value !== 'string') return undefined
        const value = decodeCbor(bytes, key.end, depth + 1)
        if (value === undefined) return undefined
        entries.set(key.value, value.value)
        next = value.end
      }
      return { value: entries, end: next }
    }
    case SIMPLE:
      return argument === FALSE || argument === TRUE ? { value: argument === TRUE, end } : undefined
    default:
      return undefined
  }
}

function headAt(bytes: Uint8Array, at: number): { major: number; argument: number; end: number } | undefined {
  const first = bytes[at]
  if (first === undefined) return undefined
  const major = first >> 5
  const short = first & 0x1f
  if (short < 24) return { major, argument: short, end: at + 1 }
  const width = short === 24 ? 1 : short === 25 ? 2 : short === 26 ? 4 : 0
  if (width === 0 || major === SIMPLE || at + 1 + width > bytes.length) return undefined
  let argument = 0
  for (let i = 1; i <= width; i++) argument = argument * 256 + bytes[at + i]!
  return { major, argument, end: at + 1 + width }
}
