// Compares compiled code with code on chain, byte by byte. A placeholder (linked library, immutable, a library's own address) must
// have one value in all its ranges. Metadata may differ, because it does not change what the code does.
import { bytesToHex, equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import { type ByteRange, metadataWithin } from './code-metadata.ts'
import type { CompiledCode, Placeholder } from './compiled-contract.ts'
import type { Difference, MatchLevel } from './verdict.ts'

export type Comparison = {
  readonly which: Difference['code']
  readonly compiled: CompiledCode
  readonly chain: Uint8Array
  readonly address: Hex
  /** Where the compiler is known to have put metadata. Elsewhere, bytes that look like metadata have to be proven to be. */
  readonly metadata: readonly ByteRange[]
}

export type ComparisonResult =
  | { readonly type: 'equal'; readonly level: MatchLevel; readonly values: ChainValues }
  /** Equal if the difference is in metadata, which only a second compilation can show. */
  | { readonly type: 'unproven'; readonly difference: Difference }
  | { readonly type: 'different'; readonly difference: Difference; readonly reason: DifferenceReason }

export type DifferenceReason =
  | { readonly type: 'code' }
  | { readonly type: 'immutable' | 'library'; readonly name: string; readonly values: readonly Hex[] }

/** The values that the code on chain has for the placeholders, by name. */
export type ChainValues = {
  readonly libraries: ReadonlyMap<string, Hex>
  readonly immutables: ReadonlyMap<string, Hex>
}

/** `PUSH20 0; ADDRESS; EQ`: a library compares its address with the one that it was deployed to. */
const CALL_PROTECTION = Uint8Array.from([0x73, ...new Uint8Array(20), 0x30, 0x14])
export const LIBRARY_ADDRESS = 'library_deploy_address'
const SHOWN_BYTES = 32

/** Compares as many bytes as the compiled code has. The caller judges what follows on chain. */
export function compareCode(comparison: Comparison): ComparisonResult {
  const { compiled, chain, address, which } = comparison
  const { bytes } = compiled
  const immutables = [...compiled.immutables, ...callProtection(bytes)]
  const covered = new Uint8Array(bytes.length)
  for (const { ranges } of [...compiled.libraries, ...immutables]) {
    for (const { start, end } of ranges) covered.fill(1, start, end)
  }
  const different = (offset: number, lies: Difference['lies'], reason: DifferenceReason): ComparisonResult => ({
    type: 'different',
    difference: differenceAt({ which, compiled: bytes, chain }, offset, lies),
    reason,
  })

  const looksLike = metadataWithin(bytes)
  let unproven: number | undefined
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
  // Only now: in code that differs, the ranges of the placeholders mean nothing.
  const values = { libraries: new Map<string, Hex>(), immutables: new Map<string, Hex>() }
  for (const [kind, placeholders] of [
    ['library', compiled.libraries],
    ['immutable', immutables],
  ] as const) {
    for (const placeholder of placeholders) {
      const found = valuesOf(placeholder, chain)
      const { name } = placeholder
      if (found.values.length > 1) return different(found.offset, kind, { type: kind, name, values: found.values })
      values[kind === 'library' ? 'libraries' : 'immutables'].set(name, found.values[0]!)
    }
  }
  const own = values.immutables.get(LIBRARY_ADDRESS)
  if (own !== undefined && BigInt(own) !== BigInt(address)) {
    return different(1, 'library', { type: 'library', name: LIBRARY_ADDRESS, values: [own, address] })
  }

  if (unproven === undefined) return { type: 'equal', level, values }
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

function callProtection(bytes: Uint8Array): readonly Placeholder[] {
  return equalBytes(bytes.subarray(0, CALL_PROTECTION.length), CALL_PROTECTION)
    ? [{ name: LIBRARY_ADDRESS, ranges: [{ start: 1, end: 21 }] }]
    : []
}

/** The different values that the chain has in the ranges of a placeholder, and the offset of the second one. */
function valuesOf({ ranges }: Placeholder, chain: Uint8Array): { offset: number; values: readonly Hex[] } {
  const values: Hex[] = []
  let offset = ranges[0]?.start ?? 0
  for (const { start, end } of ranges) {
    const value = bytesToHex(chain.subarray(start, end))
    if (values.includes(value)) continue
    if (values.length === 1) offset = start
    values.push(value)
  }
  return { offset, values }
}
