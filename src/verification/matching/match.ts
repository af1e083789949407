// Decides whether a compiled contract is the code on chain: runtime code, creation code, or the creation code in a blueprint. Pure.
import { bytesToHex, equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import type { DeclaredLibrary, Language } from '../input/submission.ts'
import { type ByteRange, type CodeMetadata, splitAtMetadata, trailingMetadata, vyperFooter } from './code-metadata.ts'
import {
  type ChainValues,
  type ComparisonResult,
  compareCode,
  type DifferenceReason,
  differenceAt,
  LIBRARY_ADDRESS,
} from './compare-code.ts'
import type { CompiledCode, CompiledContract, Placeholder } from './compiled-contract.ts'
import { decodedArguments } from './constructor-arguments.ts'
import type { ChainCode, DecodedArgument, Difference, MatchLevel } from './verdict.ts'
export type MatchInput = {
  readonly language: Language
  readonly compiled: CompiledContract
  readonly chain: ChainCode
  /** Whether the settings make the compiler put metadata at the end of the code, or it does so by default. */
  readonly endsInMetadata: boolean
  readonly libraries: readonly DeclaredLibrary[]
  /** Other metadata within the code, proven by a second compilation. */
  readonly proven: { readonly runtime: readonly ByteRange[]; readonly creation: readonly ByteRange[] }
}

export type MatchResult = CodeMatch | Unproven | CodeMismatch

/** A match if the difference is in metadata: the caller compiles a second time and calls again with what that proves. */
type Unproven = { readonly type: 'unproven'; readonly difference: Difference }

export type CodeMatch = {
  readonly type: 'match'
  readonly runtime: MatchLevel
  /** Undefined: the creation code is not known, or it differs. */
  readonly creation: MatchLevel | undefined
  /** Where the creation code differs, if it is known and differs. */
  readonly creationDifference: Difference | undefined
  readonly constructorArguments: Hex | undefined
  readonly decodedArguments: readonly DecodedArgument[] | undefined
  readonly libraries: ReadonlyMap<string, Hex>
  readonly immutables: ReadonlyMap<string, Hex>
  readonly isBlueprint: boolean
  /** The metadata at the end of the code on chain. */
  readonly metadata: CodeMetadata | undefined
}

export type CodeMismatch = {
  readonly type: 'mismatch'
  readonly reason:
    | DifferenceReason
    | { readonly type: 'declaredLibrary'; readonly name: string; readonly values: readonly Hex[] }
  readonly difference: Difference | undefined
}

export function matchContract(input: MatchInput): MatchResult {
  const { chain } = input
  const blueprint = blueprintIn(chain.runtime)
  if (blueprint) return matchBlueprint(input, blueprint)

  const runtime = input.language === 'vyper' ? vyperRuntime(input) : solidityRuntime(input)
  if (runtime.type === 'unproven') return runtime
  if (runtime.type === 'different') return { ...runtime, type: 'mismatch' }
  const wrongLibrary = wrongLibraryIn(runtime.values, input.libraries)
  if (wrongLibrary) return wrongLibrary

  const creation = chain.creation ? matchCreation(input, chain.creation) : undefined
  if (creation?.type === 'unproven') return creation
  const creationIsSame = creation?.type === 'equal' && sameLibraries(runtime.values, creation.values)
  const args = creationIsSame ? chain.creation!.subarray(input.compiled.creation.bytes.length) : undefined
  return {
    type: 'match',
    runtime: input.language === 'vyper' && creationIsSame ? creation.level : runtime.level,
    creation: creationIsSame ? creation.level : undefined,
    creationDifference: creation?.type === 'different' ? creation.difference : undefined,
    constructorArguments: args && bytesToHex(args),
    decodedArguments: args && decodedArguments(input.compiled.abi, args),
    libraries: runtime.values.libraries,
    immutables: withoutOwnAddress(runtime.values.immutables),
    isBlueprint: false,
    metadata: trailingMetadata(chain.runtime),
  }
}

function solidityRuntime({ compiled, chain, endsInMetadata, proven }: MatchInput): ComparisonResult {
  const code = compiled.runtime
  const { body, metadata } = endsInMetadata ? splitAtMetadata(code.bytes) : { body: code.bytes, metadata: undefined }
  const sides = { which: 'runtime', compiled: code.bytes, chain: chain.runtime } as const
  const compared = compareCode({
    which: 'runtime',
    compiled: { ...code, bytes: body },
    chain: chain.runtime,
    address: chain.address,
    metadata: proven.runtime,
  })
  if (compared.type !== 'equal') return compared
  const tail = code.bytes.subarray(body.length)
  const chainTail = chain.runtime.subarray(body.length)
  if (equalBytes(tail, chainTail)) return metadata?.hash ? compared : { ...compared, level: 'partial' }
  // Other metadata, or none: the code that runs is the same.
  if (chainTail.length === 0 || trailingMetadata(chainTail)?.start === 0) return { ...compared, level: 'partial' }
  const lies = chainTail.length === tail.length ? 'metadata' : 'length'
  return { type: 'different', difference: differenceAt(sides, body.length, lies), reason: { type: 'code' } }
}

/** Vyper puts immutables behind the runtime code. Only its creation code has a hash over the sources. */
function vyperRuntime({ compiled, chain }: MatchInput): ComparisonResult {
  const { bytes } = compiled.runtime
  const compared = compareWhole('runtime', compiled.runtime, chain)
  if (compared.type !== 'equal') return compared
  const immutables = chain.runtime.subarray(bytes.length)
  const footer = vyperFooter(compiled.creation.bytes)
  // Older compilers do not write how many bytes there are, but each immutable takes whole words.
  const fits = footer ? immutables.length === footer.immutableBytes : immutables.length % 32 === 0
  if (!fits) {
    const sides = { which: 'runtime', compiled: bytes, chain: chain.runtime } as const
    return { type: 'different', difference: differenceAt(sides, bytes.length, 'length'), reason: { type: 'code' } }
  }
  const named = new Map(immutables.length > 0 ? [['immutables', bytesToHex(immutables)]] : [])
  return { type: 'equal', level: 'partial', values: { libraries: new Map(), immutables: named } }
}

function matchCreation(input: MatchInput, chainCode: Uint8Array): ComparisonResult {
  const { compiled, language } = input
  const compared = compareCreation(input, chainCode)
  if (compared.type !== 'equal') return compared
  const { bytes } = compiled.creation
  const args = chainCode.subarray(bytes.length)
  if (decodedArguments(compiled.abi, args) === undefined) {
    const sides = { which: 'creation', compiled: bytes, chain: chainCode } as const
    const difference = differenceAt(sides, bytes.length, 'constructorArguments')
    return { type: 'different', difference, reason: { type: 'code' } }
  }
  const sourceHash = language === 'vyper' ? vyperFooter(bytes)?.integrity : hashesSources(input)
  return sourceHash ? compared : { ...compared, level: 'partial' }
}

function compareCreation(input: MatchInput, chainCode: Uint8Array): ComparisonResult {
  const { compiled, chain, endsInMetadata, language, proven } = input
  const inside = onlyOffsetOf(compiled.runtime.bytes, compiled.creation.bytes)
  const tail = endsInMetadata ? trailingMetadata(compiled.runtime.bytes) : undefined
  const integrity = language === 'vyper' ? integrityIn(compiled.creation.bytes) : []
  const known = tail && inside !== undefined ? [{ start: inside + tail.start, end: inside + tail.end }] : []
  const compared = compareCode({
    which: 'creation',
    compiled: { ...compiled.creation, immutables: integrity },
    chain: chainCode,
    address: chain.address,
    metadata: [...known, ...proven.creation],
  })
  if (compared.type !== 'equal') return compared
  const isSameSource = integrity.every(({ name }) => compared.values.immutables.get(name) === name)
  return isSameSource ? compared : { ...compared, level: 'partial' }
}

/** Vyper's hash over the sources may differ, as solc's metadata may. The placeholder is named by the compiled hash. */
function integrityIn(creation: Uint8Array): readonly Placeholder[] {
  const range = vyperFooter(creation)?.integrity
  return range ? [{ name: bytesToHex(creation.subarray(range.start, range.end)), ranges: [range] }] : []
}

function matchBlueprint(input: MatchInput, initcode: Uint8Array): MatchResult {
  const { compiled, language } = input
  const compared = compareCreation(input, initcode)
  if (compared.type === 'unproven') return compared
  if (compared.type === 'different') return { ...compared, type: 'mismatch' }
  if (initcode.length !== compiled.creation.bytes.length) {
    const sides = { which: 'creation', compiled: compiled.creation.bytes, chain: initcode } as const
    const offset = compiled.creation.bytes.length
    return { type: 'mismatch', reason: { type: 'code' }, difference: differenceAt(sides, offset, 'length') }
  }
  const wrongLibrary = wrongLibraryIn(compared.values, input.libraries)
  if (wrongLibrary) return wrongLibrary
  const sourceHash = language === 'vyper' ? vyperFooter(initcode)?.integrity : hashesSources(input)
  return {
    type: 'match',
    runtime: sourceHash ? compared.level : 'partial',
    creation: undefined,
    creationDifference: undefined,
    constructorArguments: undefined,
    decodedArguments: undefined,
    libraries: compared.values.libraries,
    immutables: new Map(),
    isBlueprint: true,
    metadata: trailingMetadata(initcode),
  }
}

function hashesSources({ compiled, endsInMetadata }: MatchInput): boolean {
  return endsInMetadata && trailingMetadata(compiled.runtime.bytes)?.hash !== undefined
}

function compareWhole(
  which: Difference['code'],
  compiled: CompiledCode,
  { runtime, address }: ChainCode,
): ComparisonResult {
  return compareCode({ which, compiled, chain: runtime, address, metadata: [] })
}

function wrongLibraryIn({ libraries }: ChainValues, declared: readonly DeclaredLibrary[]): CodeMismatch | undefined {
  for (const [name, address] of libraries) {
    const expected = declared.find((library) => library.name === name || name.endsWith(`:${library.name}`))
    const isRight = BigInt(address) !== 0n && (expected === undefined || BigInt(expected.address) === BigInt(address))
    if (isRight) continue
    const values = expected ? [expected.address, address] : [address]
    return { type: 'mismatch', reason: { type: 'declaredLibrary', name, values }, difference: undefined }
  }
  return undefined
}

function sameLibraries(runtime: ChainValues, creation: ChainValues): boolean {
  return [...creation.libraries].every(([name, address]) => (runtime.libraries.get(name) ?? address) === address)
}

function withoutOwnAddress(immutables: ReadonlyMap<string, Hex>): ReadonlyMap<string, Hex> {
  return new Map([...immutables].filter(([name]) => name !== LIBRARY_ADDRESS))
}

/** The offset of `part` in `whole`, if it is there exactly once. */
function onlyOffsetOf(part: Uint8Array, whole: Uint8Array): number | undefined {
  if (part.length === 0) return undefined
  const buffer = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  const at = buffer.indexOf(part)
  return at < 0 || buffer.indexOf(part, at + 1) >= 0 ? undefined : at
}

/** EIP-5202: code that starts with 0xFE71 holds creation code for factories to copy. Undefined for other code. */
function blueprintIn(code: Uint8Array): Uint8Array | undefined {
  if (code[0] !== 0xfe || code[1] !== 0x71 || code.length < 4) return undefined
  const lengthBytes = code[2]! & 0b11
  if (code[2]! >> 2 !== 0 || lengthBytes === 0b11) return undefined
  let dataBytes = 0
  for (let i = 0; i < lengthBytes; i++) dataBytes = dataBytes * 256 + (code[3 + i] ?? 0)
  const start = 3 + lengthBytes + dataBytes
  return start < code.length ? code.subarray(start) : undefined
}
