// Compiles a published package once with our own pool, matches every artifact of it, and tries mutations that must be refused.
import { bytesToHex, equalBytes } from '../../src/chain/bytes/hex.ts'
import { type Compile, createCompile } from '../../src/verification/compile/compile.ts'
import { outputsOf } from '../../src/verification/compile/compiler-input.ts'
import type { CompilePool } from '../../src/verification/compile/pool.ts'
import type { Compilers } from '../../src/verification/compilers/compilers.ts'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import { metadataWithin, trailingMetadata } from '../../src/verification/matching/code-metadata.ts'
import { type CompiledContract, contractsOf } from '../../src/verification/matching/compiled-contract.ts'
import { type MatchResult, matchContract } from '../../src/verification/matching/match.ts'
import type { ChainCode } from '../../src/verification/matching/verdict.ts'
import { deployedFrom, withFlippedByte, withInconsistentPlaceholder } from './deployed-code.ts'
import type { PublishedArtifact, VectorPackage } from './vector-packages.ts'

/** A whole package is ten times as large as a usual submission. */
const PACKAGE_LIMITS = { wallMs: 600_000, memoryBytes: 2 ** 31, outputBytes: 256_000_000 }
/** All packages are submitted at the same time and wait in the queue. */
const TIMEOUT_MS = 1_200_000
const FLIPPED_BYTES = 7

export type CompiledPackage = {
  readonly artifacts: readonly PublishedArtifact[]
  /** The compiled contract of an artifact. */
  readonly contractOf: (artifact: PublishedArtifact) => CompiledContract
}

export async function compilePackage(
  { pool, compilers }: { pool: CompilePool; compilers: Compilers },
  { solc, input, artifacts }: VectorPackage,
  settings: StandardInput['settings'] = {},
): Promise<CompiledPackage> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const version = solc.replace(/\+.*/, '')
  const found = await compilers.compiler('solidity', version, signal)
  if (found.type === 'unavailable') throw new Error(found.reason)
  const compile: Compile = createCompile({ pool, limits: () => PACKAGE_LIMITS })
  const outputSelection = outputsOf('solidity', version, { file: undefined, name: '*' })
  const job = {
    compiler: found.compiler,
    input: { ...input, settings: { ...input.settings, ...settings } },
    outputSelection,
  }
  const compiled = await compile(job, signal)
  if (compiled.type === 'failed') throw new Error(compiled.message)
  const contracts = contractsOf(compiled.output)
  return {
    artifacts,
    contractOf: ({ name, file, creation }) => {
      const named = contracts.filter((contract) => contract.name === name && (file === '' || contract.file === file))
      const same = named.find(({ creation: { bytes } }) => bytes.length * 2 === creation.replace(/^0x/, '').length)
      const contract = same ?? named[0]
      if (!contract) throw new Error(`nothing was compiled for ${name}`)
      return contract
    },
  }
}

export function matchWith(compiled: CompiledContract, chain: ChainCode): MatchResult {
  return matchContract({
    language: 'solidity',
    compiled,
    chain,
    endsInMetadata: true,
    libraries: [],
    proven: { runtime: [], creation: [] },
  })
}

/** For each artifact, with its own creation code: `exact`, or what went wrong. */
export function matchResults({ artifacts, contractOf }: CompiledPackage): readonly string[] {
  return artifacts.map((artifact) => {
    const compiled = contractOf(artifact)
    const answer = matchWith(compiled, deployedFrom(artifact, compiled))
    if (answer.type !== 'match') return `${artifact.name}: ${answer.type} ${JSON.stringify(answer)}`
    return answer.runtime === 'exact' && answer.creation === 'exact' ? 'exact' : `${artifact.name}: ${answer.runtime}`
  })
}

/** Mutations that still match, which must be none. `tried` counts them all. */
export function acceptedMutations({ artifacts, contractOf }: CompiledPackage): { tried: number; accepted: string[] } {
  const accepted: string[] = []
  let tried = 0
  for (const artifact of artifacts) {
    const compiled = contractOf(artifact)
    const chain = deployedFrom(artifact, compiled)
    for (const [what, runtime] of mutationsOf(compiled, chain)) {
      tried++
      // With and without the creation code, which this run does not change.
      for (const creation of [chain.creation, undefined]) {
        if (matchWith(compiled, { ...chain, runtime, creation }).type === 'match')
          accepted.push(`${artifact.name}: ${what}`)
      }
    }
  }
  return { tried, accepted }
}

function* mutationsOf(compiled: CompiledContract, { runtime }: ChainCode): Generator<[string, Uint8Array]> {
  const end = trailingMetadata(runtime)?.start ?? runtime.length
  const placeholders = [...compiled.runtime.immutables, ...compiled.runtime.libraries].flatMap(({ ranges }) => ranges)
  const metadata = metadataWithin(runtime)
  for (let i = 0; i < FLIPPED_BYTES; i++) {
    const at = Math.floor(((end - 1) * i) / (FLIPPED_BYTES - 1))
    const isPlaceholder = placeholders.some(({ start, end }) => start <= at && at < end)
    const isMetadata = metadata.some(({ start, end }) => start <= at && at < end)
    if (!isPlaceholder && !isMetadata) yield [`byte ${at} changed`, withFlippedByte(runtime, at)]
  }
  yield ['one byte less', runtime.subarray(0, runtime.length - 1)]
  yield ['one byte more', Uint8Array.from([...runtime, 0])]
  const inconsistent = withInconsistentPlaceholder(runtime, compiled.runtime.immutables)
  if (inconsistent) yield ['an immutable with two values', inconsistent]
  const twoLibraries = withInconsistentPlaceholder(runtime, compiled.runtime.libraries)
  if (twoLibraries) yield ['a library with two addresses', twoLibraries]
  // A library compares its address with the one in its code.
  if (bytesToHex(compiled.runtime.bytes).startsWith(`0x73${'0'.repeat(40)}3014`)) {
    yield ['a library at another address', withFlippedByte(runtime, 20)]
  }
}

/** For a compilation with wrong settings: how many artifacts are refused, how many match partially, and which match wrongly. */
export function resultsWithOtherSettings(right: CompiledPackage, wrong: CompiledPackage) {
  const counts = { refused: 0, partial: 0 }
  const wronglyAccepted: string[] = []
  for (const artifact of right.artifacts) {
    const chain = deployedFrom(artifact, right.contractOf(artifact))
    const compiled = wrong.contractOf(artifact)
    const answer = matchWith(compiled, { ...chain, creation: undefined })
    if (answer.type !== 'match') counts.refused++
    else if (answer.runtime === 'partial' && isSameButForMetadata(compiled, right.contractOf(artifact)))
      counts.partial++
    else wronglyAccepted.push(artifact.name)
  }
  return { ...counts, wronglyAccepted }
}

/** Whether the settings change nothing but the metadata of this contract. */
function isSameButForMetadata(a: CompiledContract, b: CompiledContract): boolean {
  const [left, right] = [a, b].map(({ runtime: { bytes } }) => bytes.subarray(0, trailingMetadata(bytes)?.start))
  return equalBytes(left!, right!)
}
