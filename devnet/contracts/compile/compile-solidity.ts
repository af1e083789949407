// One Solidity contract of the catalogue into its artifact: standard JSON in, standard JSON out, nothing from outside `sources/`.

import { posix } from 'node:path'
import solc from 'solc'
import { type Artifact, type LinkReferences, readSource, type StandardInput, standardInput } from '../artifact.ts'
import { type CatalogueEntry, profiles } from '../catalogue.ts'

export function compileSolidity(contractName: string, { source, profile }: CatalogueEntry): Artifact {
  const sources = withImports(source)
  const settings = profiles[profile]
  const outputSelection = { [source]: { [contractName]: wanted } }
  const output = run(standardInput({ language: 'Solidity', sources, settings: { ...settings, outputSelection } }))
  const problems = (output.errors ?? []).filter((problem) => !expectedWarnings.includes(problem.errorCode))
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'))

  const { abi, metadata, evm } = output.contracts[source]![contractName]!
  return {
    contractName,
    sourceName: source,
    language: 'Solidity',
    compiler: solc.version().replace('.Emscripten.clang', ''),
    settings,
    sources,
    abi,
    bytecode: unlinked(evm.bytecode),
    linkReferences: evm.bytecode.linkReferences,
    deployedBytecode: unlinked(evm.deployedBytecode),
    deployedLinkReferences: evm.deployedBytecode.linkReferences,
    immutableReferences: evm.deployedBytecode.immutableReferences,
    metadata,
  }
}

const wanted = [
  'abi',
  'metadata',
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]

// 5159: self-destruction is deprecated; the mayflies and the furnace are about exactly that.
const expectedWarnings = ['5159']

type Code = { readonly object: string; readonly linkReferences: LinkReferences }
type Output = {
  readonly errors?: readonly { readonly errorCode: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, Contract>>
}
type Contract = {
  readonly abi: Artifact['abi']
  readonly metadata: string
  readonly evm: {
    readonly bytecode: Code
    readonly deployedBytecode: Code & { readonly immutableReferences: Artifact['immutableReferences'] }
  }
}

function run(input: StandardInput): Output {
  return JSON.parse(solc.compile(JSON.stringify(input)))
}

/** A file and all that it imports, directly or not, sorted by name. */
function withImports(file: string, found = new Set<string>()): string[] {
  found.add(file)
  for (const [, path] of readSource(file).matchAll(/^import .* from "(.+)";$/gm)) {
    const imported = posix.join(posix.dirname(file), path!)
    if (!found.has(imported)) withImports(imported, found)
  }
  return [...found].sort()
}

/** The compiler writes `__$…$__` where a library's address goes. Zeros keep the code plain hex. */
function unlinked({ object }: Code): `0x${string}` {
  return `0x${object.replaceAll(/__\$[0-9a-f]{34}\$__/g, '0'.repeat(40))}`
}
