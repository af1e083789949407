// The contracts of a compiler's output, in the form that matching works on.
import type { Abi } from 'viem'
import type { ByteRange } from './code-metadata.ts'
import type { ContractId } from './verdict.ts'

export type CompiledContract = ContractId & {
  readonly abi: Abi
  /** The metadata JSON, verbatim; undefined for Vyper. */
  readonly metadata: string | undefined
  readonly runtime: CompiledCode
  readonly creation: CompiledCode
  readonly storageLayout: unknown
  readonly devdoc: unknown
  readonly userdoc: unknown
  readonly methodIdentifiers: Readonly<Record<string, string>>
}

export type CompiledCode = {
  /** The bytes of placeholders are zero. */
  readonly bytes: Uint8Array
  readonly libraries: readonly Placeholder[]
  readonly immutables: readonly Placeholder[]
}

/**
 * A value that only the code on chain has: the address of a linked library, or an immutable. It is the same in all its ranges.
 * `name`: `file.sol:Library`, or the compiler's number for the immutable.
 */
export type Placeholder = { readonly name: string; readonly ranges: readonly ByteRange[] }

export type CompilerOutput = {
  readonly errors?: readonly CompilerMessage[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, OutputContract>>>>
  readonly compiler?: string
}

export type CompilerMessage = {
  readonly severity?: string
  readonly formattedMessage?: string
  readonly message?: string
  readonly type?: string
}

type OutputContract = {
  readonly abi?: Abi
  readonly metadata?: string
  readonly storageLayout?: unknown
  readonly layout?: unknown
  readonly devdoc?: unknown
  readonly userdoc?: unknown
  readonly evm?: {
    readonly bytecode?: OutputCode
    readonly deployedBytecode?: OutputCode
    readonly methodIdentifiers?: Readonly<Record<string, string>>
  }
}

type OutputCode = {
  readonly object?: string
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly OutputRange[]>>>>
  readonly immutableReferences?: Readonly<Record<string, readonly OutputRange[]>>
}

type OutputRange = { readonly start: number; readonly length: number }

export function contractsOf({ contracts = {} }: CompilerOutput): readonly CompiledContract[] {
  return Object.entries(contracts).flatMap(([file, inFile]) =>
    Object.entries(inFile).map(([name, output]) => compiledContract({ file, name }, output)),
  )
}

function compiledContract({ file, name }: ContractId, output: OutputContract): CompiledContract {
  return {
    file,
    name,
    abi: output.abi ?? [],
    metadata: typeof output.metadata === 'string' && output.metadata !== '' ? output.metadata : undefined,
    runtime: compiledCode(output.evm?.deployedBytecode),
    creation: compiledCode(output.evm?.bytecode),
    storageLayout: output.storageLayout ?? output.layout ?? null,
    devdoc: output.devdoc ?? null,
    userdoc: output.userdoc ?? null,
    methodIdentifiers: output.evm?.methodIdentifiers ?? {},
  }
}

function compiledCode({ object = '', linkReferences = {}, immutableReferences = {} }: OutputCode = {}): CompiledCode {
  const hex = object.replace(/^0x/, '')
  const libraries = Object.entries(linkReferences).flatMap(([file, inFile]) =>
    Object.entries(inFile).map(([name, ranges]) => placeholder(file === '' ? name : `${file}:${name}`, ranges)),
  )
  return {
    bytes: Buffer.from(hex.replace(UNLINKED, ZERO_ADDRESS), 'hex'),
    libraries: libraries.length > 0 ? libraries : unlinkedLibraries(hex),
    immutables: Object.entries(immutableReferences).map(([name, ranges]) => placeholder(name, ranges)),
  }
}

function placeholder(name: string, ranges: readonly OutputRange[]): Placeholder {
  return { name, ranges: ranges.map(({ start, length }) => ({ start, end: start + length })) }
}

/** Forty characters that are not hex stand for the address of a library: `__$…$__` since 0.5, the padded name before. */
const UNLINKED = /__.{38}/g
const ZERO_ADDRESS = '0'.repeat(40)
const ADDRESS_BYTES = 20

/** Compilers before 0.4.11 report no link references: the characters in the code are all there is. */
function unlinkedLibraries(hex: string): readonly Placeholder[] {
  const found = new Map<string, ByteRange[]>()
  for (const { 0: characters, index } of hex.matchAll(UNLINKED)) {
    const name = characters.replace(/^__|_+$/g, '')
    found.set(name, [...(found.get(name) ?? []), { start: index / 2, end: index / 2 + ADDRESS_BYTES }])
  }
  return [...found].map(([name, ranges]) => ({ name, ranges }))
}
