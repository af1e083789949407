// A compiled contract and the code on chain in, whether they are the same out. Pure.
import { bytesToHex, equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import type { DeclaredLibrary, Language } from '../input/submission.ts'
import { blueprintIn } from './blueprint.ts'
import { type ByteRange, type CodeMetadata, trailingMetadata } from './code-metadata.ts'
import {
  type Compared,
  compareCode,
  type DifferenceReason,
  differenceAt,
  type Filled,
  LIBRARY_ADDRESS,
  placeOf,
  splitAtMetadata,
} from './compare-code.ts'
import type { CompiledCode, CompiledContract, Gap } from './compiled-contract.ts'
import { decodedArguments } from './constructor-arguments.ts'
import type { ChainCode, DecodedArgument, Difference, MatchLevel } from './verdict.ts'
import { vyperFooter } from './vyper-footer.ts'

export type MatchQuestion = {
  readonly language: Language
  readonly compiled: CompiledContract
  readonly chain: ChainCode
  /** Whether the compiler put metadata at the end of the code. */
  readonly endsInMetadata: boolean
  readonly libraries: readonly DeclaredLibrary[]
  /** Other metadata within the code, found by compiling a second time. */
  readonly proven: { readonly runtime: readonly ByteRange[]; readonly creation: readonly ByteRange[] }
}

export type MatchAnswer = CodeMatch | Unproven | CodeMismatch

/** A match if the place is metadata: compile a second time and ask again with what that proves. */
type Unproven = { readonly type: 'unproven'; readonly difference: Difference }

export type CodeMatch = {
  readonly type: 'match'
  readonly runtime: MatchLevel
  readonly creation: MatchLevel | null
  /** Why the creation code is not matched although it is known. */
  readonly creationDifference: Difference | null
  readonly constructorArguments: Hex | null
  readonly decodedArguments: readonly DecodedArgument[] | null
  readonly libraries: ReadonlyMap<string, Hex>
  readonly immutables: ReadonlyMap<string, Hex>
  readonly isBlueprint: boolean
  /** What stands at the end of the runtime code on chain. */
  readonly metadata: CodeMetadata | null
}

export type CodeMismatch = {
  readonly type: 'mismatch'
  readonly reason:
    | DifferenceReason
    | { readonly type: 'declaredLibrary'; readonly name: string; readonly values: readonly Hex[] }
  readonly difference: Difference | null
}

export function matchContract(question: MatchQuestion): MatchAnswer {
  const { chain } = question
  const blueprint = blueprintIn(chain.runtime)
  if (blueprint) return matchBlueprint(question, blueprint)

  const runtime = question.language === 'vyper' ? vyperRuntime(question) : solidityRuntime(question)
  if (runtime.type === 'unproven') return runtime
  if (runtime.type === 'different') return { ...runtime, type: 'mismatch' }
  const wrongLibrary = wrongLibraryIn(runtime.filled, question.libraries)
  if (wrongLibrary) return wrongLibrary

  const creation = chain.creation ? matchCreation(question, chain.creation) : null
  if (creation?.type === 'unproven') return creation
  const creationIsSame = creation?.type === 'equal' && sameLibraries(runtime.filled, creation.filled)
  const args = creationIsSame ? chain.creation!.subarray(question.compiled.creation.bytes.length) : null
  return {
    type: 'match',
    runtime: question.language === 'vyper' && creationIsSame ? creation.level : runtime.level,
    creation: creationIsSame ? creation.level : null,
    creationDifference: creation?.type === 'different' ? creation.difference : null,
    constructorArguments: args && bytesToHex(args),
    decodedArguments: args && decodedArguments(question.compiled.abi, args),
    libraries: runtime.filled.libraries,
    immutables: withoutOwnAddress(runtime.filled.immutables),
    isBlueprint: false,
    metadata: trailingMetadata(chain.runtime),
  }
}

function solidityRuntime({ compiled, chain, endsInMetadata, proven }: MatchQuestion): Compared {
  const code = compiled.runtime
  const { body, metadata } = endsInMetadata ? splitAtMetadata(code.bytes) : { body: code.bytes, metadata: null }
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
  // Other metadata, or none: what runs is the same.
  if (chainTail.length === 0 || trailingMetadata(chainTail)?.start === 0) return { ...compared, level: 'partial' }
  const lies = chainTail.length === tail.length ? 'metadata' : 'length'
  return { type: 'different', difference: differenceAt(sides, body.length, lies), reason: { type: 'code' } }
}

/** Immutables stand behind the code. Only the creation code pins the sources. */
function vyperRuntime({ compiled, chain }: MatchQuestion): Compared {
  const { bytes } = compiled.runtime
  const compared = compareWhole('runtime', compiled.runtime, chain)
  if (compared.type !== 'equal') return compared
  const immutables = chain.runtime.subarray(bytes.length)
  const footer = vyperFooter(compiled.creation.bytes)
  // Older compilers do not say how many bytes there are, but each immutable takes whole words.
  const fits = footer ? immutables.length === footer.immutableBytes : immutables.length % 32 === 0
  if (!fits) {
    const sides = { which: 'runtime', compiled: bytes, chain: chain.runtime } as const
    return { type: 'different', difference: differenceAt(sides, bytes.length, 'length'), reason: { type: 'code' } }
  }
  const named = new Map(immutables.length > 0 ? [['immutables', bytesToHex(immutables)]] : [])
  return { type: 'equal', level: 'partial', filled: { libraries: new Map(), immutables: named } }
}

function matchCreation(question: MatchQuestion, chainCode: Uint8Array): Compared {
  const { compiled, language } = question
  const compared = compareCreation(question, chainCode)
  if (compared.type !== 'equal') return compared
  const { bytes } = compiled.creation
  const args = chainCode.subarray(bytes.length)
  if (decodedArguments(compiled.abi, args) === null) {
    const sides = { which: 'creation', compiled: bytes, chain: chainCode } as const
    const difference = differenceAt(sides, bytes.length, 'constructorArguments')
    return { type: 'different', difference, reason: { type: 'code' } }
  }
  const pinned = language === 'vyper' ? vyperFooter(bytes)?.integrity : pinsSources(question)
  return pinned ? compared : { ...compared, level: 'partial' }
}

function compareCreation(question: MatchQuestion, chainCode: Uint8Array): Compared {
  const { compiled, chain, endsInMetadata, language, proven } = question
  const inside = placeOf(compiled.runtime.bytes, compiled.creation.bytes)
  const tail = endsInMetadata ? trailingMetadata(compiled.runtime.bytes) : null
  const integrity = language === 'vyper' ? integrityIn(compiled.creation.bytes) : []
  const known = tail && inside !== null ? [{ start: inside + tail.start, end: inside + tail.end }] : []
  const compared = compareCode({
    which: 'creation',
    compiled: { ...compiled.creation, immutables: integrity },
    chain: chainCode,
    address: chain.address,
    metadata: [...known, ...proven.creation],
  })
  if (compared.type !== 'equal') return compared
  const isPinned = integrity.every(({ name }) => compared.filled.immutables.get(name) === name)
  return isPinned ? compared : { ...compared, level: 'partial' }
}

/** Vyper's hash over the sources may differ, as solc's metadata may. Named by what the compiler wrote there. */
function integrityIn(creation: Uint8Array): readonly Gap[] {
  const place = vyperFooter(creation)?.integrity
  if (!place) return []
  const name = bytesToHex(creation.subarray(place.start, place.end))
  return [{ name, places: [{ start: place.start, length: place.end - place.start }] }]
}

function matchBlueprint(question: MatchQuestion, initcode: Uint8Array): MatchAnswer {
  const { compiled, language } = question
  const compared = compareCreation(question, initcode)
  if (compared.type === 'unproven') return compared
  if (compared.type === 'different') return { ...compared, type: 'mismatch' }
  if (initcode.length !== compiled.creation.bytes.length) {
    const sides = { which: 'creation', compiled: compiled.creation.bytes, chain: initcode } as const
    const offset = compiled.creation.bytes.length
    return { type: 'mismatch', reason: { type: 'code' }, difference: differenceAt(sides, offset, 'length') }
  }
  const wrongLibrary = wrongLibraryIn(compared.filled, question.libraries)
  if (wrongLibrary) return wrongLibrary
  const pinned = language === 'vyper' ? vyperFooter(initcode)?.integrity : pinsSources(question)
  return {
    type: 'match',
    runtime: pinned ? compared.level : 'partial',
    creation: null,
    creationDifference: null,
    constructorArguments: null,
    decodedArguments: null,
    libraries: compared.filled.libraries,
    immutables: new Map(),
    isBlueprint: true,
    metadata: trailingMetadata(initcode),
  }
}

function pinsSources({ compiled, endsInMetadata }: MatchQuestion): boolean {
  return endsInMetadata && trailingMetadata(compiled.runtime.bytes)?.hash != null
}

function compareWhole(which: Difference['code'], compiled: CompiledCode, { runtime, address }: ChainCode): Compared {
  return compareCode({ which, compiled, chain: runtime, address, metadata: [] })
}

function wrongLibraryIn({ libraries }: Filled, declared: readonly DeclaredLibrary[]): CodeMismatch | null {
  for (const [name, address] of libraries) {
    const said = declared.find((library) => library.name === name || name.endsWith(`:${library.name}`))
    const isRight = BigInt(address) !== 0n && (said === undefined || BigInt(said.address) === BigInt(address))
    if (isRight) continue
    const values = said ? [said.address, address] : [address]
    return { type: 'mismatch', reason: { type: 'declaredLibrary', name, values }, difference: null }
  }
  return null
}

function sameLibraries(runtime: Filled, creation: Filled): boolean {
  return [...creation.libraries].every(([name, address]) => (runtime.libraries.get(name) ?? address) === address)
}

function withoutOwnAddress(immutables: ReadonlyMap<string, Hex>): ReadonlyMap<string, Hex> {
  return new Map([...immutables].filter(([name]) => name !== LIBRARY_ADDRESS))
}
