// One contract of a compiler's output, in the form that matching works on.
import type { Abi } from 'viem'
import type { ContractId } from './verdict.ts'

export type CompiledContract = ContractId & {
  readonly abi: Abi
  readonly metadata: string | null
  readonly runtime: CompiledCode
  readonly creation: CompiledCode
  readonly storageLayout: unknown
  readonly devdoc: unknown
  readonly userdoc: unknown
  readonly methodIdentifiers: Readonly<Record<string, string>>
}

export type CompiledCode = {
  /** Places of libraries and immutables are zero. */
  readonly bytes: Uint8Array
  readonly libraries: readonly Gap[]
  readonly immutables: readonly Gap[]
}

/** One value of the chain's that stands at several places of the code. `name`: `file.sol:Library`, or the immutable's number. */
export type Gap = { readonly name: string; readonly places: readonly Place[] }
export type Place = { readonly start: number; readonly length: number }

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
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly Place[]>>>>
  readonly immutableReferences?: Readonly<Record<string, readonly Place[]>>
}

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
    metadata: typeof output.metadata === 'string' && output.metadata !== '' ? output.metadata : null,
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
  const named = Object.entries(linkReferences).flatMap(([file, libraries]) =>
    Object.entries(libraries).map(([name, places]) => ({ name: file === '' ? name : `${file}:${name}`, places })),
  )
  return {
    bytes: Buffer.from(hex.replace(PLACEHOLDER, ZERO_ADDRESS), 'hex'),
    libraries: named.length > 0 ? named : librariesByPlaceholder(hex),
    immutables: Object.entries(immutableReferences).map(([name, places]) => ({ name, places })),
  }
}

/** Forty characters that are no code: `__$…$__` since 0.5, the padded name before. */
const PLACEHOLDER = /__.{38}/g
const ZERO_ADDRESS = '0'.repeat(40)
const ADDRESS_BYTES = 20

/** Compilers before 0.4.11 say where libraries go by the placeholder alone. */
function librariesByPlaceholder(hex: string): readonly Gap[] {
  const places = new Map<string, Place[]>()
  for (const { 0: placeholder, index } of hex.matchAll(PLACEHOLDER)) {
    const name = placeholder.replace(/^__|_+$/g, '')
    places.set(name, [...(places.get(name) ?? []), { start: index / 2, length: ADDRESS_BYTES }])
  }
  return [...places].map(([name, found]) => ({ name, places: found }))
}
