// One Vyper contract of the catalogue into its artifact. The compiler is a Python program: it is installed from the package
// index into a private virtual environment under node_modules/.cache, once.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Artifact, standardInput } from '../artifact.ts'
import { type CatalogueEntry, profiles } from '../catalogue.ts'

const VYPER_VERSION = '0.4.3'

/** Why the Vyper compiler cannot be had on this machine. */
export class VyperUnavailable extends Error {}

export function compileVyper(contractName: string, { source, profile }: CatalogueEntry): Artifact {
  const vyper = installedVyper()
  const settings = profiles[profile]
  const outputSelection = { [source]: ['abi', 'evm.bytecode', 'evm.deployedBytecode'] }
  const input = standardInput({ language: 'Vyper', sources: [source], settings: { ...settings, outputSelection } })
  const answer = execFileSync(vyper, ['--standard-json'], { input: JSON.stringify(input), encoding: 'utf8' })
  const output: Output = JSON.parse(answer)
  if (output.errors?.length) throw new Error(output.errors.map((problem) => problem.message).join('\n'))

  const [contract] = Object.values(output.contracts[source] ?? {})
  if (!contract) throw new Error(`The Vyper compiler returned nothing for ${source}`)
  return {
    contractName,
    sourceName: source,
    language: 'Vyper',
    compiler: output.compiler.replace('vyper-', ''),
    settings,
    sources: [source],
    abi: contract.abi,
    bytecode: contract.evm.bytecode.object,
    linkReferences: {},
    deployedBytecode: contract.evm.deployedBytecode.object,
    deployedLinkReferences: {},
    immutableReferences: {},
    metadata: null,
  }
}

type Output = {
  readonly compiler: string
  readonly errors?: readonly { readonly message: string }[]
  readonly contracts: Record<
    string,
    Record<
      string,
      {
        readonly abi: Artifact['abi']
        readonly evm: {
          readonly bytecode: { readonly object: `0x${string}` }
          readonly deployedBytecode: { readonly object: `0x${string}` }
        }
      }
    >
  >
}

/** The path of the compiler, installed if it is not there yet. */
function installedVyper(): string {
  const home = fileURLToPath(new URL(`../../../node_modules/.cache/vyper-${VYPER_VERSION}`, import.meta.url))
  const vyper = `${home}/bin/vyper`
  if (existsSync(vyper)) return vyper
  attempt('a virtual environment could not be made (Debian: apt install python3-venv)', 'python3', [
    '-m',
    'venv',
    '--clear',
    home,
  ])
  const pip = ['-m', 'pip', 'install', '--quiet', `vyper==${VYPER_VERSION}`]
  attempt(`vyper ${VYPER_VERSION} could not be installed`, `${home}/bin/python`, pip)
  return vyper
}

function attempt(failure: string, command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (cause) {
    throw new VyperUnavailable(`Vyper is not available: ${failure}`, { cause })
  }
}
