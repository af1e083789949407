// A match, with everything that is stored and shown about the contract.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Compiler } from '../compilers/compiler.ts'
import { evmVersionOf, librariesIn, optimizerOf } from '../input/settings.ts'
import { type FoundName, foundSourceName } from '../input/source-name.ts'
import type { StandardInput } from '../input/standard-input.ts'
import type { Submission } from '../input/submission.ts'
import { swarmSourceOf } from './code-metadata.ts'
import type { CompiledContract } from './compiled-contract.ts'
import { compilerOnChain } from './explain.ts'
import type { CodeMatch } from './match.ts'
import type { ChainCode, LinkedLibrary, Match, MatchLevel } from './verdict.ts'

export type MatchedParts = {
  readonly submission: Submission
  readonly compiler: Compiler
  readonly compiled: CompiledContract
  readonly input: StandardInput
  readonly chain: ChainCode
  readonly found: CodeMatch
}

export function verdictOfMatch(parts: MatchedParts): Match {
  const name = nameFor(parts)
  const { compiler, chain, found } = parts
  const input = name ? renamedInput(parts, name) : parts.input
  const compiled = name ? { ...parts.compiled, file: name.file, metadata: name.metadata } : parts.compiled
  const levels = name ? upgraded(found) : found
  const isOtherCreation = chain.creation !== null && found.creation === null && !found.isBlueprint
  return {
    type: 'match',
    match: isOtherCreation || levels.creation === 'partial' ? 'partial' : levels.runtime,
    runtime: levels.runtime,
    creation: levels.creation,
    contract: { file: compiled.file, name: compiled.name },
    compiler: compiler.longVersion,
    language: compiler.language,
    abi: compiled.abi,
    standardInput: input,
    sources: Object.fromEntries(Object.entries(input.sources).map(([file, { content }]) => [file, content])),
    settings: input.settings,
    metadata: compiled.metadata,
    constructorArguments: found.constructorArguments,
    decodedArguments: found.decodedArguments,
    libraries: [...librariesIn(parts.input.settings), ...[...found.libraries].map(linkedLibrary)],
    immutables: [...found.immutables].map(([id, value]) => ({ id, value, offsets: offsetsOf(compiled, id) })),
    swarmSource: swarmSourceOf(found.metadata),
    storageLayout: compiled.storageLayout,
    devdoc: compiled.devdoc,
    userdoc: compiled.userdoc,
    methodIdentifiers: compiled.methodIdentifiers,
    isBlueprint: found.isBlueprint,
    optimizer: optimizerOf(input.settings),
    evmVersion: evmVersionOf(input.settings),
    notes: notesOf(parts, isOtherCreation),
  }
}

/** Only a single file has a name that we made up, and only code that differs in metadata alone can be wrong about it. */
function nameFor({ submission, compiled, found }: MatchedParts): FoundName | null {
  if (submission.input.type !== 'singleFile' || found.runtime === 'exact') return null
  if (compiled.metadata === null || found.metadata === null) return null
  const { source } = submission.input
  const { file, name, metadata } = compiled
  return foundSourceName({
    metadata,
    file,
    contractName: name,
    source,
    onChain: found.metadata,
    libraries: found.libraries,
  })
}

function renamedInput({ input, compiled }: MatchedParts, { file, settings }: FoundName): StandardInput {
  const optimizer = optimizerOf(input.settings)
  const { content } = input.sources[compiled.file]!
  return {
    ...input,
    sources: { [file]: { content } },
    settings: {
      ...input.settings,
      ...(settings.runs !== undefined && { optimizer: { ...optimizer, runs: settings.runs } }),
      ...(settings.libraries && { libraries: { [file]: byName(settings.libraries) } }),
    },
  }
}

function byName(libraries: Readonly<Record<string, Hex>>): Record<string, Hex> {
  return Object.fromEntries(
    Object.entries(libraries).map(([key, address]) => [linkedLibrary([key, address]).name, address]),
  )
}

/** The hash pins the sources; that the code differs in it alone is known. */
function upgraded({ creation }: CodeMatch): { runtime: MatchLevel; creation: MatchLevel | null } {
  return {
    runtime: 'exact',
    creation: creation && 'exact',
  }
}

function linkedLibrary([key, address]: [string, Hex]): LinkedLibrary {
  const colon = key.lastIndexOf(':')
  return { file: key.slice(0, Math.max(0, colon)), name: key.slice(colon + 1), address }
}

function offsetsOf({ runtime }: CompiledContract, id: string): readonly number[] {
  const gap = runtime.immutables.find(({ name }) => name === id)
  return gap ? gap.places.map(({ start }) => start) : [runtime.bytes.length]
}

function notesOf({ compiler, chain, found }: MatchedParts, isOtherCreation: boolean): readonly string[] {
  const onChain = compilerOnChain(chain)
  const notes: string[] = []
  if (onChain !== null && onChain !== compiler.version && !compiler.longVersion.startsWith(onChain)) {
    notes.push(`The metadata on chain names compiler ${onChain}; ${compiler.version} makes the same code.`)
  }
  if (isOtherCreation) {
    const place = found.creationDifference ? ` (first difference at byte ${found.creationDifference.offset})` : ''
    notes.push(`It was created by other code than this source’s constructor${place}.`)
  }
  return notes
}
