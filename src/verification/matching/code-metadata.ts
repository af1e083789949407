// The metadata that solc leaves in code: a CBOR map and its length in two bytes. At the end of a contract's code, and once
// more for each contract that it can create, anywhere in between.
import { bytesToHex } from '../../chain/bytes/hex.ts'
import { base58 } from './base58.ts'
import { type CborValue, decodeCbor } from './cbor.ts'

export type ByteRange = { readonly start: number; readonly end: number }

export type CodeMetadata = ByteRange & {
  /** Points at the metadata's JSON, and so pins every byte of the sources. */
  readonly hash: { readonly type: 'ipfs' | 'bzzr0' | 'bzzr1'; readonly bytes: Uint8Array } | null
  /** `0.8.30`, or the long text of a nightly build; null before 0.5.9. */
  readonly compiler: string | null
}

const LENGTH_BYTES = 2
const MAX_ENTRIES = 4
const NIGHTLY = /^\d[A-Za-z0-9.+-]{0,80}$/

/** What stands at the very end of the code. */
export function trailingMetadata(code: Uint8Array): CodeMetadata | null {
  if (code.length < LENGTH_BYTES) return null
  const length = (code[code.length - 2]! << 8) | code[code.length - 1]!
  const start = code.length - LENGTH_BYTES - length
  return start < 0 ? null : metadataAt(code, start, code.length)
}

/** Everything that looks like metadata, in order. A constant of the source can be made to look so: see proven-metadata.ts. */
export function metadataWithin(code: Uint8Array, end = code.length): readonly CodeMetadata[] {
  const found: CodeMetadata[] = []
  for (let at = 0; at < end; at++) {
    const first = code[at]!
    if (first <= 0xa0 || first > 0xa0 + MAX_ENTRIES) continue
    const metadata = metadataAt(code, at, null)
    if (metadata === null || metadata.end > end) continue
    found.push(metadata)
    at = metadata.end - 1
  }
  return found
}

/** `ipfs://…`, `bzzr://…`, or nothing. */
export function swarmSourceOf(metadata: CodeMetadata | null): string {
  if (!metadata?.hash) return ''
  const { type, bytes } = metadata.hash
  return type === 'ipfs' ? `ipfs://${base58(bytes)}` : `bzzr://${bytesToHex(bytes).slice(2)}`
}

function metadataAt(code: Uint8Array, start: number, end: number | null): CodeMetadata | null {
  const decoded = decodeCbor(code, start)
  if (!(decoded?.value instanceof Map) || decoded.value.size === 0) return null
  const entries: ReadonlyMap<string, CborValue> = decoded.value
  const after = decoded.end + LENGTH_BYTES
  const said = ((code[decoded.end] ?? 0) << 8) | (code[decoded.end + 1] ?? 0)
  if (after > code.length || said !== decoded.end - start || (end !== null && after !== end)) return null
  for (const [key, value] of entries) if (!isEntry(key, value)) return null
  return { start, end: after, hash: hashOf(entries), compiler: compilerOf(entries.get('solc')) }
}

/** Strict about sizes, so that no entry can have other metadata inside. */
function isEntry(key: string, value: CborValue): boolean {
  switch (key) {
    case 'ipfs':
      return value instanceof Uint8Array && value.length === 34
    case 'bzzr0':
    case 'bzzr1':
      return value instanceof Uint8Array && value.length === 32
    case 'solc':
      return value instanceof Uint8Array ? value.length === 3 : typeof value === 'string' && NIGHTLY.test(value)
    case 'experimental':
      return typeof value === 'boolean'
    default:
      return false
  }
}

function hashOf(entries: ReadonlyMap<string, CborValue>): CodeMetadata['hash'] {
  for (const type of ['ipfs', 'bzzr1', 'bzzr0'] as const) {
    const bytes = entries.get(type)
    if (bytes instanceof Uint8Array) return { type, bytes }
  }
  return null
}

function compilerOf(solc: CborValue | undefined): string | null {
  if (solc instanceof Uint8Array && solc.length === 3) return [...solc].join('.')
  return typeof solc === 'string' ? solc : null
}
