// The verdict of a match: everything that is stored and shown about the contract.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import type { CompilerId } from '../input/compiler-version.ts'
import {
  evmVersionOf,
  type LinkedLibrary,
  librariesIn,
  optimizerOf,
  type StandardInput,
} from '../input/standard-input.ts'
import type { Submission } from '../input/submission.ts'
import { type CodeMetadata, compilerOnChain } from './code-metadata.ts'
import type { CompiledContract } from './compiled-contract.ts'
import type { CodeMatch } from './match.ts'
import { type FoundName, findSourceName } from './source-name.ts'
import type { ChainCode, Match } from './verdict.ts'

export type MatchedParts = {
  readonly submission: Submission
  readonly compiler: CompilerId
  readonly compiled: CompiledContract
  readonly input: StandardInput
  readonly chain: ChainCode
  readonly match: CodeMatch
}

export function verdictOfMatch(parts: MatchedParts): Match {
  const { compiler, chain, match } = parts
  const name = originalName(parts)
  const input = name ? renamedInput(parts, name) : parts.input
  const compiled = name ? { ...parts.compiled, file: name.file, metadata: name.metadata } : parts.compiled
  // Under the original name the metadata hash is equal, and the rest of the code is known to be.
  const runtime = name ? 'exact' : match.runtime
  const creation = name && match.creation ? 'exact' : (match.creation ?? null)
  const isCreationDifferent = chain.creation !== undefined && match.creation === undefined && !match.isBlueprint
  return {
    type: 'match',
    match: isCreationDifferent || creation === 'partial' ? 'partial' : runtime,
    runtime,
    creation,
    contract: { file: compiled.file, name: compiled.name },
    compiler: compiler.longVersion,
    language: compiler.language,
    abi: compiled.abi,
    standardInput: input,
    sources: Object.fromEntries(Object.entries(input.sources).map(([file, { content }]) => [file, content])),
    settings: input.settings,
    metadata: compiled.metadata ?? null,
    constructorArguments: match.constructorArguments ?? null,
    decodedArguments: match.decodedArguments ?? null,
    libraries: [...librariesIn(parts.input.settings), ...[...match.libraries].map(linkedLibrary)],
    immutables: [...match.immutables].map(([id, value]) => ({ id, value, offsets: offsetsOf(compiled, id) })),
    swarmSource: swarmSourceOf(match.metadata),
    storageLayout: compiled.storageLayout,
    devdoc: compiled.devdoc,
    userdoc: compiled.userdoc,
    methodIdentifiers: compiled.methodIdentifiers,
    isBlueprint: match.isBlueprint,
    optimizer: optimizerOf(input.settings),
    evmVersion: evmVersionOf(input.settings),
    notes: notesOf(parts, isCreationDifferent),
  }
}

/**
 * The name that a single file had in the original build, if it can be found. Only a single file has a name that we invented, and
 * only where the code differs in nothing but metadata can the name be wrong.
 */
function originalName({ submission, compiled, match }: MatchedParts): FoundName | undefined {
  if (submission.input.type !== 'singleFile' || match.runtime === 'exact') return undefined
  if (!compiled.metadata || !match.metadata) return undefined
  return findSourceName({
    metadata: compiled.metadata,
    file: compiled.file,
    contractName: compiled.name,
    source: submission.input.source,
    onChain: match.metadata,
    libraries: match.libraries,
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

function linkedLibrary([key, address]: [string, Hex]): LinkedLibrary {
  const colon = key.lastIndexOf(':')
  return { file: key.slice(0, Math.max(0, colon)), name: key.slice(colon + 1), address }
}

/** Vyper's immutables have no placeholder: they follow the code. */
function offsetsOf({ runtime }: CompiledContract, id: string): readonly number[] {
  const placeholder = runtime.immutables.find(({ name }) => name === id)
  return placeholder ? placeholder.ranges.map(({ start }) => start) : [runtime.bytes.length]
}

function notesOf({ compiler, chain, match }: MatchedParts, isCreationDifferent: boolean): readonly string[] {
  const onChain = compilerOnChain(chain)
  const notes: string[] = []
  if (onChain !== undefined && onChain !== compiler.version && !compiler.longVersion.startsWith(onChain)) {
    notes.push(`The metadata on chain names compiler ${onChain}; ${compiler.version} makes the same code.`)
  }
  if (isCreationDifferent) {
    const where = match.creationDifference ? ` (first difference at byte ${match.creationDifference.offset})` : ''
    notes.push(`It was created by other code than this source’s constructor${where}.`)
  }
  return notes
}

/** `ipfs://…`, `bzzr://…`, or empty. */
export function swarmSourceOf(metadata: CodeMetadata | undefined): string {
  if (!metadata?.hash) return ''
  const { type, bytes } = metadata.hash
  return type === 'ipfs' ? `ipfs://${base58(bytes)}` : `bzzr://${bytesToHex(bytes).slice(2)}`
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let text = ''
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  return '1'.repeat(zeros) + text
}
