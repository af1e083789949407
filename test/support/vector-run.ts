// A package compiled once by our own pool, every artifact of it matched, and every mutation of it refused.
import { bytesToHex, equalBytes } from '../../src/chain/bytes/hex.ts'
import { type Compile, createCompile } from '../../src/verification/compile/compile.ts'
import type { CompilePool } from '../../src/verification/compile/pool.ts'
import type { Compilers } from '../../src/verification/compilers/compilers.ts'
import { outputsOf } from '../../src/verification/input/output-selection.ts'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import { metadataWithin, trailingMetadata } from '../../src/verification/matching/code-metadata.ts'
import { type CompiledContract, contractsOf } from '../../src/verification/matching/compiled-contract.ts'
import { type MatchAnswer, matchContract } from '../../src/verification/matching/match.ts'
import type { ChainCode } from '../../src/verification/matching/verdict.ts'
import { deployedFrom, withFlippedByte, withInconsistentGap } from './deployed-code.ts'
import type { PublishedArtifact, VectorPackage } from './vector-packages.ts'

/** Whole packages are ten times a usual submission. */
const PACKAGE_LIMITS = { wallMs: 600_000, memoryBytes: 2 ** 31, outputBytes: 256_000_000 }
/** All packages are asked for at once and wait for their turn. */
const PATIENCE_MS = 1_200_000
const FLIPPED_PLACES = 7

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
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const version = solc.replace(/\+.*/, '')
  const found = await compilers.compiler('solidity', version, signal)
  if (found.type === 'unavailable') throw new Error(found.reason)
  const compile: Compile = createCompile({ pool, limits: () => PACKAGE_LIMITS })
  const outputSelection = outputsOf('solidity', version, { file: null, name: '*' })
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

export function answerFor(compiled: CompiledContract, chain: ChainCode): MatchAnswer {
  return matchContract({
    language: 'solidity',
    compiled,
    chain,
    endsInMetadata: true,
    libraries: [],
    proven: { runtime: [], creation: [] },
  })
}

/** What comes of each artifact, with its own creation code: `exact`, or what went wrong. */
export function outcomesOf({ artifacts, contractOf }: CompiledPackage): readonly string[] {
  return artifacts.map((artifact) => {
    const compiled = contractOf(artifact)
    const answer = answerFor(compiled, deployedFrom(artifact, compiled))
    if (answer.type !== 'match') return `${artifact.name}: ${answer.type} ${JSON.stringify(answer)}`
    return answer.runtime === 'exact' && answer.creation === 'exact' ? 'exact' : `${artifact.name}: ${answer.runtime}`
  })
}

/** Mutations that were let through; empty is what is wanted. `tried` counts them. */
export function acceptedMutations({ artifacts, contractOf }: CompiledPackage): { tried: number; accepted: string[] } {
  const accepted: string[] = []
  let tried = 0
  for (const artifact of artifacts) {
    const compiled = contractOf(artifact)
    const chain = deployedFrom(artifact, compiled)
    for (const [what, runtime] of mutationsOf(compiled, chain)) {
      tried++
      // With and without the creation code, which is not changed here.
      for (const creation of [chain.creation, null]) {
        if (answerFor(compiled, { ...chain, runtime, creation }).type === 'match')
          accepted.push(`${artifact.name}: ${what}`)
      }
    }
  }
  return { tried, accepted }
}

function* mutationsOf(compiled: CompiledContract, { runtime }: ChainCode): Generator<[string, Uint8Array]> {
  const end = trailingMetadata(runtime)?.start ?? runtime.length
  const gaps = [...compiled.runtime.immutables, ...compiled.runtime.libraries].flatMap(({ places }) => places)
  const metadata = metadataWithin(runtime)
  for (let i = 0; i < FLIPPED_PLACES; i++) {
    const at = Math.floor(((end - 1) * i) / (FLIPPED_PLACES - 1))
    const isFilled = gaps.some(({ start, length }) => start <= at && at < start + length)
    const isMetadata = metadata.some(({ start, end }) => start <= at && at < end)
    if (!isFilled && !isMetadata) yield [`byte ${at} changed`, withFlippedByte(runtime, at)]
  }
  yield ['one byte less', runtime.subarray(0, runtime.length - 1)]
  yield ['one byte more', Uint8Array.from([...runtime, 0])]
  const inconsistent = withInconsistentGap(runtime, compiled.runtime.immutables)
  if (inconsistent) yield ['an immutable with two values', inconsistent]
  const twoLibraries = withInconsistentGap(runtime, compiled.runtime.libraries)
  if (twoLibraries) yield ['a library with two addresses', twoLibraries]
  // A library compares its address with the one in its code.
  if (bytesToHex(compiled.runtime.bytes).startsWith(`0x73${'0'.repeat(40)}3014`)) {
    yield ['a library at another address', withFlippedByte(runtime, 20)]
  }
}

/** With other settings than the artifacts were made with: how many are refused, how many partial, and those wrongly let through. */
export function outcomesWithOtherSettings(right: CompiledPackage, wrong: CompiledPackage) {
  const counts = { refused: 0, partial: 0 }
  const wronglyAccepted: string[] = []
  for (const artifact of right.artifacts) {
    const chain = deployedFrom(artifact, right.contractOf(artifact))
    const compiled = wrong.contractOf(artifact)
    const answer = answerFor(compiled, { ...chain, creation: null })
    if (answer.type !== 'match') counts.refused++
    else if (answer.runtime === 'partial' && isSameButForMetadata(compiled, right.contractOf(artifact)))
      counts.partial++
    else wronglyAccepted.push(artifact.name)
  }
  return { ...counts, wronglyAccepted }
}

/** The settings make no difference to this contract: then the code itself is the same, and only the metadata knows better. */
function isSameButForMetadata(a: CompiledContract, b: CompiledContract): boolean {
  const [left, right] = [a, b].map(({ runtime: { bytes } }) => bytes.subarray(0, trailingMetadata(bytes)?.start))
  return equalBytes(left!, right!)
}
