// A compiled contract from `artifacts/`: read once, with everything needed to deploy it and to verify its source.

import { readFileSync } from 'node:fs'
import type { Abi } from 'viem'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { ContractName } from './catalogue.ts'

export type Artifact = {
  readonly contractName: string
  /** Path of its file under `sources/`, which is also its name in the standard JSON input. */
  readonly sourceName: string
  readonly language: 'Solidity' | 'Vyper'
  readonly compiler: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Every file that the compiler was given. */
  readonly sources: readonly string[]
  readonly abi: Abi
  /** Creation code; the addresses of libraries are still zero in the ranges of `linkReferences`. */
  readonly bytecode: Hex
  readonly linkReferences: LinkReferences
  readonly deployedBytecode: Hex
  readonly deployedLinkReferences: LinkReferences
  readonly immutableReferences: Readonly<Record<string, readonly ByteRange[]>>
  /** The compiler's metadata, verbatim: its hash is at the end of the code. Vyper has none. */
  readonly metadata: string | null
}

export type ByteRange = { readonly start: number; readonly length: number }
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly ByteRange[]>>>>

const loaded = new Map<ContractName, Artifact>()

export function artifactOf(name: ContractName): Artifact {
  const known = loaded.get(name)
  if (known) return known
  const artifact: Artifact = JSON.parse(readFileSync(artifactFile(name), 'utf8'))
  loaded.set(name, artifact)
  return artifact
}

/** The standard JSON input that compiles to exactly this artifact; verification takes it as it is. */
export function standardInputOf(name: ContractName): StandardInput {
  return standardInput(artifactOf(name))
}

export type StandardInput = {
  readonly language: Artifact['language']
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: Artifact['settings']
}

export function standardInput({ language, sources, settings }: Pick<Artifact, keyof StandardInput>): StandardInput {
  const files = sources.map((file) => [file, { content: readSource(file) }])
  return { language, sources: Object.fromEntries(files), settings }
}

export function artifactFile(name: ContractName): URL {
  return new URL(`./artifacts/${name}.json`, import.meta.url)
}

export function readSource(file: string): string {
  return readFileSync(new URL(`./sources/${file}`, import.meta.url), 'utf8')
}
