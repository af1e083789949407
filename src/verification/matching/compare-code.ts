// Compiled code against code on chain, byte by byte. What only the chain knows (linked libraries, immutables, a library's own
// address) must be one value at all its places; what pins the sources but does nothing (metadata) may differ.
import { bytesToHex, equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import { type ByteRange, type CodeMetadata, metadataWithin, trailingMetadata } from './code-metadata.ts'
import type { CompiledCode, Gap } from './compiled-contract.ts'
import type { Difference, MatchLevel } from './verdict.ts'

export type Comparison = {
  readonly which: Difference['code']
  readonly compiled: CompiledCode
  readonly chain: Uint8Array
  readonly address: Hex
  /** Where the compiler is known to have put metadata; elsewhere, what looks like it has to be proven. */
  readonly metadata: readonly ByteRange[]
}

export type Compared =
  | { readonly type: 'equal'; readonly level: MatchLevel; readonly filled: Filled }
  /** Equal if the place is metadata, which only a second compilation can show. */
  | { readonly type: 'unproven'; readonly difference: Difference }
  | { readonly type: 'different'; readonly difference: Difference; readonly reason: DifferenceReason }

export type DifferenceReason =
  | { readonly type: 'code' }
  | { readonly type: 'immutable' | 'library'; readonly name: string; readonly values: readonly Hex[] }

/** Values taken from the chain, by name. */
export type Filled = { readonly libraries: ReadonlyMap<string, Hex>; readonly immutables: ReadonlyMap<string, Hex> }

/** `PUSH20 0; ADDRESS; EQ`: a library compares its address with the one it was deployed to. */
const CALL_PROTECTION = Uint8Array.from([0x73, ...new Uint8Array(20), 0x30, 0x14])
export const LIBRARY_ADDRESS = 'library_deploy_address'
const SHOWN_BYTES = 32

/** The code of a length that is the same on both sides; what follows it is the caller's to judge. */
export function compareCode(comparison: Comparison): Compared {
  const { compiled, chain, address, which } = comparison
  const { bytes } = compiled
  const immutables = [...compiled.immutables, ...callProtection(bytes)]
  const covered = new Uint8Array(bytes.length)
  for (const { places } of [...compiled.libraries, ...immutables]) {
    for (const { start, length } of places) covered.fill(1, start, start + length)
  }
  const different = (offset: number, lies: Difference['lies'], reason: DifferenceReason): Compared => ({
    type: 'different',
    difference: differenceAt({ which, compiled: bytes, chain }, offset, lies),
    reason,
  })

  const looksLike = metadataWithin(bytes)
  let unproven: number | null = null
  let level: MatchLevel = 'exact'
  for (let at = 0; at < bytes.length; at++) {
    if (at >= chain.length) return different(at, 'length', { type: 'code' })
    if (bytes[at] === chain[at] || covered[at] === 1) continue
    const range = looksLike.find(({ start, end }) => start <= at && at < end)
    if (range === undefined) return different(at, 'code', { type: 'code' })
    if (!metadataWithin(chain.subarray(range.start, range.end)).some(({ end }) => end === range.end - range.start)) {
      return different(at, 'metadata', { type: 'code' })
    }
    if (!comparison.metadata.some(({ start, end }) => start === range.start && end === range.end)) unproven ??= at
    level = 'partial'
    at = range.end - 1
  }
  // After the code itself: in other code the places mean nothing.
  const filled = { libraries: new Map<string, Hex>(), immutables: new Map<string, Hex>() }
  for (const [kind, gaps] of [
    ['library', compiled.libraries],
    ['immutable', immutables],
  ] as const) {
    for (const gap of gaps) {
      const { offset, values } = valuesIn(chain, gap)
      if (values.length > 1) return different(offset, kind, { type: kind, name: gap.name, values })
      filled[kind === 'library' ? 'libraries' : 'immutables'].set(gap.name, values[0]!)
    }
  }
  const own = filled.immutables.get(LIBRARY_ADDRESS)
  if (own !== undefined && BigInt(own) !== BigInt(address)) {
    return different(1, 'library', { type: 'library', name: LIBRARY_ADDRESS, values: [own, address] })
  }

  if (unproven === null) return { type: 'equal', level, filled }
  return { type: 'unproven', difference: differenceAt({ which, compiled: bytes, chain }, unproven, 'code') }
}

export function differenceAt(
  { which, compiled, chain }: { which: Difference['code']; compiled: Uint8Array; chain: Uint8Array },
  offset: number,
  lies: Difference['lies'],
): Difference {
  return {
    code: which,
    offset,
    lies,
    expected: bytesToHex(compiled.subarray(offset, offset + SHOWN_BYTES)),
    found: bytesToHex(chain.subarray(offset, offset + SHOWN_BYTES)),
    expectedBefore: bytesToHex(compiled.subarray(Math.max(0, offset - SHOWN_BYTES), offset)),
    foundBefore: bytesToHex(chain.subarray(Math.max(0, offset - SHOWN_BYTES), offset)),
    compiledLength: compiled.length,
    chainLength: chain.length,
  }
}

/** The code without the metadata at its end, and that metadata. */
export function splitAtMetadata(code: Uint8Array): { body: Uint8Array; metadata: CodeMetadata | null } {
  const metadata = trailingMetadata(code)
  return { body: metadata ? code.subarray(0, metadata.start) : code, metadata }
}

/** Where `part` stands in `whole`, when it does so once. */
export function placeOf(part: Uint8Array, whole: Uint8Array): number | null {
  if (part.length === 0) return null
  const buffer = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  const at = buffer.indexOf(part)
  return at < 0 || buffer.indexOf(part, at + 1) >= 0 ? null : at
}

function callProtection(bytes: Uint8Array): readonly Gap[] {
  return equalBytes(bytes.subarray(0, CALL_PROTECTION.length), CALL_PROTECTION)
    ? [{ name: LIBRARY_ADDRESS, places: [{ start: 1, length: 20 }] }]
    : []
}

/** The different values that the chain has at the places of a gap, and where the second one stands. */
function valuesIn(chain: Uint8Array, { places }: Gap): { offset: number; values: readonly Hex[] } {
  const values: Hex[] = []
  let offset = places[0]?.start ?? 0
  for (const { start, length } of places) {
    const value = bytesToHex(chain.subarray(start, start + length))
    if (values.includes(value)) continue
    if (values.length === 1) offset = start
    values.push(value)
  }
  return { offset, values }
}
