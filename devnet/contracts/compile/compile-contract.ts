import type { Artifact } from '../artifact.ts'
import { type CatalogueEntry, type ContractName, catalogue } from '../catalogue.ts'
import { compileSolidity } from './compile-solidity.ts'
import { compileVyper } from './compile-vyper.ts'

/** Compiles one contract of the catalogue into the text of its artifact file: the same text for the same sources, always. */
export function compileContract(name: ContractName): string {
  const artifact = compile(name, catalogue[name])
  return `${JSON.stringify(artifact, null, 1)}\n`
}

function compile(name: ContractName, entry: CatalogueEntry): Artifact {
  return entry.profile === 'vyper' ? compileVyper(name, entry) : compileSolidity(name, entry)
}
