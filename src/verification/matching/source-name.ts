// Finds the name that a single file had when it was compiled. A single file is submitted without it, but the name is part of the
// metadata JSON, whose hash is in the code: the usual names are tried until the hash is right. Nothing is compiled again for that.
import { createHash } from 'node:crypto'
import { equalBytes, type Hex } from '../../chain/bytes/hex.ts'
import type { CodeMetadata } from './code-metadata.ts'

export type NameSearch = {
  /** The metadata JSON that the compiler wrote for the name that we invented. */
  readonly metadata: string
  readonly file: string
  readonly contractName: string
  readonly source: string
  readonly onChain: CodeMetadata
  /** Libraries that were linked after compiling; the original build may have given them to the compiler. */
  readonly libraries: ReadonlyMap<string, Hex>
}

export type FoundName = {
  readonly file: string
  readonly metadata: string
  /** Settings in which the original build differs although its code does not. */
  readonly settings: { readonly runs?: number; readonly libraries?: Readonly<Record<string, Hex>> }
}

const DEFAULT_RUNS = 200
const MAX_NAMES = 400

export function findSourceName(search: NameSearch): FoundName | undefined {
  const { metadata, onChain } = search
  if (onChain.hash?.type !== 'ipfs') return undefined
  const parsed: Metadata = JSON.parse(metadata)
  // The hash is over the text: it cannot be computed where JSON.stringify does not give the compiler's text back.
  if (JSON.stringify(parsed) !== metadata) return undefined
  for (const file of namesToTry(search)) {
    for (const settings of settingsToTry(search, parsed)) {
      const text = JSON.stringify(renamed(parsed, { from: search.file, to: file, settings }))
      const hash = ipfsHash(Buffer.from(text))
      if (hash && equalBytes(hash, onChain.hash.bytes)) return { file, metadata: text, settings }
    }
  }
  return undefined
}

type Metadata = {
  readonly settings: Readonly<Record<string, unknown>> & {
    readonly compilationTarget: Readonly<Record<string, string>>
    readonly optimizer: { readonly enabled?: boolean; readonly runs?: number }
    readonly libraries: Readonly<Record<string, string>>
  }
  readonly sources: Readonly<Record<string, unknown>>
}

type Renaming = { readonly from: string; readonly to: string; readonly settings: FoundName['settings'] }

function renamed(metadata: Metadata, { from, to, settings: { runs, libraries = {} } }: Renaming): Metadata {
  const rename = (name: string): string => (name === from ? to : name.replace(`${from}:`, `${to}:`))
  const renameKeys = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]))
  const { settings } = metadata
  return {
    ...metadata,
    settings: {
      ...settings,
      compilationTarget: renameKeys(settings.compilationTarget),
      libraries: renameKeys({ ...settings.libraries, ...libraries }),
      optimizer: runs === undefined ? settings.optimizer : { ...settings.optimizer, runs },
    },
    sources: renameKeys(metadata.sources),
  }
}

function settingsToTry({ libraries }: NameSearch, { settings }: Metadata): readonly FoundName['settings'][] {
  const linked = libraries.size > 0 ? [{}, { libraries: Object.fromEntries([...libraries].sort()) }] : [{}]
  // Without the optimizer the number of runs is in the metadata but has no effect.
  const isMeaningless = settings.optimizer.enabled !== true && settings.optimizer.runs !== DEFAULT_RUNS
  return isMeaningless ? [...linked, ...linked.map((tried) => ({ ...tried, runs: DEFAULT_RUNS }))] : linked
}

const folders = [
  '',
  'contracts/',
  'src/',
  './',
  './contracts/',
  './src/',
  '/contracts/',
  'project:/contracts/',
  'browser/',
  'localhost/',
  'contracts/src/',
  'test/',
  'contracts/token/',
]
const usualFiles = [
  'contract.sol',
  'Contract.sol',
  'flattened.sol',
  'Flattened.sol',
  'flat.sol',
  'main.sol',
  'input.sol',
  'token.sol',
  'Token.sol',
  '1_Storage.sol',
  '2_Owner.sol',
  '3_Ballot.sol',
  'Untitled.sol',
  'test.sol',
]
const endings = ['.sol', '', '_flat.sol', '_flattened.sol', '-flat.sol', '.flat.sol', 'Flat.sol', 'Flattened.sol']

function namesToTry({ file, contractName, source }: NameSearch): readonly string[] {
  const declared = [...source.matchAll(/^\s*(?:abstract\s+)?(?:contract|library|interface)\s+(\w+)/gm)].map(
    ([, name]) => name!,
  )
  const own = endings.map((ending) => `${contractName}${ending}`)
  const lower = [`${contractName.toLowerCase()}.sol`]
  const others = declared.toReversed().map((name) => `${name}.sol`)
  const names = [...own, ...lower, ...usualFiles, ...others].flatMap((name) => folders.map((folder) => folder + name))
  return [...new Set([file, ...names])].slice(0, MAX_NAMES)
}

/** IPFS cuts larger files into chunks. The metadata of a contract is never that large in practice. */
const MAX_BYTES = 262_144
const SHA2_256 = [0x12, 0x20]

/**
 * The hash by which IPFS names a small file: a multihash, 34 bytes, as the `ipfs` entry of code metadata has it: SHA-256 over one dag-pb node around one UnixFS file node.
 * Undefined for a file of more than one chunk.
 */
export function ipfsHash(content: Uint8Array): Uint8Array | undefined {
  if (content.length > MAX_BYTES) return undefined
  const size = varint(content.length)
  // UnixFS: field 1 is the type (2, a file), field 2 the bytes, field 3 their number. An empty file has no field 2.
  const body = content.length > 0 ? [0x12, ...size] : []
  const file = Buffer.concat([Uint8Array.of(0x08, 0x02, ...body), content, Uint8Array.of(0x18, ...size)])
  const node = Buffer.concat([Uint8Array.of(0x0a, ...varint(file.length)), file])
  return Buffer.concat([Uint8Array.from(SHA2_256), createHash('sha256').update(node).digest()])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}
