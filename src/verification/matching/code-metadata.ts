// The metadata that compilers leave in code. solc appends a CBOR map and its length in two bytes to the code of a contract, and so
// to the code of each contract that it can create, which lies somewhere in between. Vyper appends a CBOR array to creation code.
import { equalBytes } from '../../chain/bytes/hex.ts'
import { type CborValue, decodeCbor } from './cbor.ts'
import type { ChainCode } from './verdict.ts'

/** From `start` up to, and without, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

export type CodeMetadata = ByteRange & {
  /** The hash of the metadata JSON, which has the hash of every source file. */
  readonly hash: { readonly type: 'ipfs' | 'bzzr0' | 'bzzr1'; readonly bytes: Uint8Array } | undefined
  /** `0.8.30`, or the long text of a nightly build; undefined before 0.5.9. */
  readonly compiler: string | undefined
}

const LENGTH_BYTES = 2
const MAX_ENTRIES = 4
const NIGHTLY = /^\d[A-Za-z0-9.+-]{0,80}$/

/** The metadata at the very end of the code. */
export function trailingMetadata(code: Uint8Array): CodeMetadata | undefined {
  if (code.length < LENGTH_BYTES) return undefined
  const length = (code[code.length - 2]! << 8) | code[code.length - 1]!
  const start = code.length - LENGTH_BYTES - length
  const metadata = start < 0 ? undefined : metadataAt(code, start)
  return metadata?.end === code.length ? metadata : undefined
}

/** Everything that looks like metadata, in order. A constant of the source can look so on purpose: see `provenMetadata`. */
export function metadataWithin(code: Uint8Array): readonly CodeMetadata[] {
  const found: CodeMetadata[] = []
  for (let at = 0; at < code.length; at++) {
    const first = code[at]!
    if (first <= 0xa0 || first > 0xa0 + MAX_ENTRIES) continue
    const metadata = metadataAt(code, at)
    if (!metadata) continue
    found.push(metadata)
    at = metadata.end - 1
  }
  return found
}

/**
 * The ranges of compiled code that are metadata for certain. `altered` is compiled from the same sources with one more line break:
 * that gives the same code with another metadata hash, while a constant that only looks like metadata does not change.
 */
export function provenMetadata(code: Uint8Array, altered: Uint8Array): readonly ByteRange[] {
  if (code.length !== altered.length) return []
  return metadataWithin(code).filter(
    ({ start, end }) => !equalBytes(code.subarray(start, end), altered.subarray(start, end)),
  )
}

/** The code without the metadata at its end, and that metadata. */
export function splitAtMetadata(code: Uint8Array): { body: Uint8Array; metadata: CodeMetadata | undefined } {
  const metadata = trailingMetadata(code)
  return { body: metadata ? code.subarray(0, metadata.start) : code, metadata }
}

/** The compiler version that the code names: solc writes it since 0.5.9, Vyper since 0.3.4. */
export function compilerOnChain({ runtime, creation }: ChainCode): string | undefined {
  return trailingMetadata(runtime)?.compiler ?? vyperVersionIn(runtime) ?? (creation && vyperVersionIn(creation))
}

function metadataAt(code: Uint8Array, start: number): CodeMetadata | undefined {
  const decoded = decodeCbor(code, start)
  if (!(decoded?.value instanceof Map) || decoded.value.size === 0) return undefined
  const entries: ReadonlyMap<string, CborValue> = decoded.value
  const end = decoded.end + LENGTH_BYTES
  const length = ((code[decoded.end] ?? 0) << 8) | (code[decoded.end + 1] ?? 0)
  if (end > code.length || length !== decoded.end - start) return undefined
  for (const [key, value] of entries) if (!isEntry(key, value)) return undefined
  return { start, end, hash: hashOf(entries), compiler: compilerOf(entries.get('solc')) }
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
  return undefined
}

function compilerOf(solc: CborValue | undefined): string | undefined {
  if (solc instanceof Uint8Array && solc.length === 3) return [...solc].join('.')
  return typeof solc === 'string' ? solc : undefined
}

/**
 * What Vyper appends to creation code since 0.3.10. The array is: integrity hash (since 0.4.1), size of the runtime code, sizes of
 * the data sections, size of the immutables, `{vyper: version}`. The length behind it counts its own two bytes too.
 */
export type VyperFooter = {
  readonly version: string
  readonly immutableBytes: number
  /** The hash over the sources. */
  readonly integrity: ByteRange | undefined
}

const INTEGRITY_BYTES = 32
/** One byte for the head of the array, two for the head of the 32 bytes. */
const INTEGRITY_OFFSET = 3

export function vyperFooter(creation: Uint8Array): VyperFooter | undefined {
  const length = ((creation.at(-2) ?? 0) << 8) | (creation.at(-1) ?? 0)
  const start = creation.length - length
  if (length < 4 || start < 0) return undefined
  const decoded = decodeCbor(creation, start)
  if (!decoded || decoded.end !== creation.length - LENGTH_BYTES || !Array.isArray(decoded.value)) return undefined
  const items: readonly CborValue[] = decoded.value
  const [integrity] = items
  const version = vyperVersionOf(items.at(-1))
  const immutableBytes = items.at(-2)
  if (version === undefined || typeof immutableBytes !== 'number') return undefined
  const at = start + INTEGRITY_OFFSET
  const hasIntegrity = integrity instanceof Uint8Array && integrity.length === INTEGRITY_BYTES
  return { version, immutableBytes, integrity: hasIntegrity ? { start: at, end: at + INTEGRITY_BYTES } : undefined }
}

/** The start of a map of one entry, `vyper`, that is an array of three. Vyper 0.3.4 to 0.3.9 put it into the runtime code. */
const VYPER_MARK = Buffer.from('a165767970657283', 'hex')

function vyperVersionIn(code: Uint8Array): string | undefined {
  const footer = vyperFooter(code)
  if (footer) return footer.version
  const at = Buffer.from(code).lastIndexOf(VYPER_MARK)
  return at < 0 ? undefined : vyperVersionOf(decodeCbor(code, at)?.value)
}

function vyperVersionOf(value: CborValue | undefined): string | undefined {
  const version = value instanceof Map ? value.get('vyper') : undefined
  return Array.isArray(version) && version.length === 3 ? version.join('.') : undefined
}
