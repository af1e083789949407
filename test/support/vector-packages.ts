// Published contracts with the artifacts that their authors compiled, each package as one standard JSON input.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import { installedPackages } from './installed-packages.ts'

export type VectorPackage = {
  readonly name: string
  readonly solc: string
  readonly input: StandardInput
  readonly artifacts: readonly PublishedArtifact[]
}

/** Code as published: libraries as placeholders, immutables zero. */
export type PublishedArtifact = {
  readonly name: string
  /** Empty where the artifact does not say. */
  readonly file: string
  readonly creation: string
  readonly runtime: string
}

export const vectorNames = [
  'openzeppelin-5.7.0',
  'openzeppelin-4.9.6',
  'openzeppelin-3.4.2',
  'safe-1.4.1',
  'uniswap-v2',
] as const
export type VectorName = (typeof vectorNames)[number]

export function vectorFolder(): Promise<string> {
  return installedPackages('vectors', fileURLToPath(new URL('../packages/vectors/', import.meta.url)))
}

export async function vectorPackage(name: VectorName): Promise<VectorPackage> {
  return readers[name](join(await vectorFolder(), 'node_modules'))
}

const readers: Readonly<Record<VectorName, (modules: string) => VectorPackage>> = {
  'openzeppelin-5.7.0': (modules) =>
    openzeppelin(modules, '5.7.0', {
      solc: '0.8.35',
      settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'osaka' },
    }),
  'openzeppelin-4.9.6': (modules) =>
    openzeppelin(modules, '4.9.6', { solc: '0.8.13', settings: { optimizer: { enabled: true, runs: 200 } } }),
  'openzeppelin-3.4.2': (modules) =>
    openzeppelin(modules, '3.4.2', { solc: '0.6.12', settings: { optimizer: { enabled: false, runs: 200 } } }),
  'safe-1.4.1': (modules) => safe(join(modules, '@safe-global/safe-contracts')),
  'uniswap-v2': (modules) => {
    const home = join(modules, '@uniswap/v2-core')
    return {
      name: 'uniswap-v2',
      solc: '0.5.16',
      input: {
        language: 'Solidity',
        sources: sourcesIn(join(home, 'contracts'), 'contracts/'),
        settings: { optimizer: { enabled: true, runs: 999_999 }, evmVersion: 'istanbul' },
      },
      artifacts: jsonFilesIn(join(home, 'build'))
        .filter(([file]) => !file.startsWith('Combined'))
        .map(([file, { evm }]) => ({
          name: file.replace(/\.json$/, ''),
          file: '',
          creation: evm.bytecode.object,
          runtime: evm.deployedBytecode.object,
        }))
        .filter(hasCode),
    }
  },
}

function openzeppelin(
  modules: string,
  version: string,
  { solc, settings }: { solc: string; settings: StandardInput['settings'] },
): VectorPackage {
  const home = join(modules, `openzeppelin-${version}`)
  return {
    name: `openzeppelin-${version}`,
    solc,
    input: { language: 'Solidity', sources: sourcesIn(home, 'contracts/'), settings },
    artifacts: jsonFilesIn(join(home, 'build/contracts'))
      .map(([, artifact]) => artifactOf(artifact))
      .filter(hasCode),
  }
}

/** The build infos are the compiler's own inputs and outputs. */
function safe(home: string): VectorPackage {
  const infos = jsonFilesIn(join(home, 'build/artifacts/build-info')).map(([, info]) => info as unknown as BuildInfo)
  const info = infos.reduce((a, b) =>
    Object.keys(b.input.sources).length > Object.keys(a.input.sources).length ? b : a,
  )
  const { outputSelection: _, ...settings } = info.input.settings
  const artifacts = Object.entries(info.output.contracts).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([name, { evm }]) => ({
      name,
      file,
      creation: evm.bytecode.object,
      runtime: evm.deployedBytecode.object,
    })),
  )
  return {
    name: 'safe-1.4.1',
    solc: info.solcVersion,
    input: { language: 'Solidity', sources: info.input.sources, settings },
    artifacts: artifacts.filter(hasCode),
  }
}

type CodeOutput = { bytecode: { object: string }; deployedBytecode: { object: string } }
type BuildInfo = {
  solcVersion: string
  input: { sources: StandardInput['sources']; settings: StandardInput['settings'] }
  output: { contracts: Record<string, Record<string, { evm: CodeOutput }>> }
}
type Json = {
  contractName: string
  sourceName?: string
  bytecode: string
  deployedBytecode: string
  evm: CodeOutput
}

function artifactOf({ contractName, sourceName = '', bytecode, deployedBytecode }: Json): PublishedArtifact {
  return {
    name: contractName,
    file: sourceName,
    creation: bytecode,
    runtime: deployedBytecode,
  }
}

function hasCode({ runtime }: PublishedArtifact): boolean {
  return runtime.length > 2
}

function jsonFilesIn(folder: string): [string, Json][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))])
}

function sourcesIn(home: string, prefix: string): StandardInput['sources'] {
  return Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sol'))
      .sort()
      .map((file) => [prefix + relative(home, join(home, file)), { content: readFileSync(join(home, file), 'utf8') }]),
  )
}
