// npm run test:vectors [-- package ...]
// Recompiles and matches every published artifact, checks that mutations and wrong settings are refused, compares with a second verifier,
// and verifies a contract for each of many compiler versions. Takes about ten minutes and downloads about 200 MB once.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCompilePool } from '../src/verification/compile/pool.ts'
import { createCompilers } from '../src/verification/compilers/compilers.ts'
import { fetchEnvironmentFrom } from '../src/verification/compilers/fetch-step.ts'
import type { StandardInput } from '../src/verification/input/standard-input.ts'
import type { CompiledContract } from '../src/verification/matching/compiled-contract.ts'
import { deployedFrom, withFlippedByte, withInconsistentPlaceholder } from '../test/support/deployed-code.ts'
import { createSecondOpinion, type Opinion } from '../test/support/second-opinion.ts'
import { type VectorName, vectorNames, vectorPackage } from '../test/support/vector-packages.ts'
import {
  acceptedMutations,
  compilePackage,
  matchResults,
  matchWith,
  resultsWithOtherSettings,
} from '../test/support/vector-run.ts'
import { createVerifying } from '../test/support/verifying.ts'
import { expectedOutcome, versionOutcome } from '../test/support/version-outcome.ts'
import { manyVersions } from '../test/support/version-vectors.ts'

const asked = process.argv.slice(2)
function isAsked(name: string): boolean {
  return asked.length === 0 || asked.some((word) => name.includes(word))
}

/** Settings that the artifacts were not compiled with. */
const wrongSettings: Readonly<Record<VectorName, readonly object[]>> = {
  'openzeppelin-5.7.0': [{ optimizer: { enabled: true, runs: 1 } }, { evmVersion: 'prague' }],
  'openzeppelin-4.9.6': [{ optimizer: { enabled: true, runs: 1 } }, { evmVersion: 'istanbul' }],
  'openzeppelin-3.4.2': [{ optimizer: { enabled: true, runs: 200 } }],
  'safe-1.4.1': [{ optimizer: { enabled: true, runs: 1 } }],
  'uniswap-v2': [{ optimizer: { enabled: true, runs: 1 } }],
}
/** The second verifier wants all outputs, of which the large packages have too many: there every third artifact is put to it,
 * and all those from which an inconsistent one can be built. */
const secondOpinionEvery: Readonly<Record<VectorName, number>> = {
  'openzeppelin-5.7.0': 3,
  'openzeppelin-4.9.6': 3,
  'openzeppelin-3.4.2': 1,
  'safe-1.4.1': 1,
  'uniswap-v2': 1,
}

const folder = mkdtempSync(join(tmpdir(), 'firstlight-vectors-'))
const pool = createCompilePool({ size: availableParallelism() })
const compilers = createCompilers({ folder, pool, environment: fetchEnvironmentFrom(process.env, homedir()) })
let failures = 0
function report(isGood: boolean, line: string): void {
  if (!isGood) failures++
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${line}`)
}

try {
  for (const name of vectorNames.filter(isAsked)) await checkPackage(name)
  await checkVersions()
} finally {
  await pool.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures === 0 ? 'all good' : `${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

async function checkPackage(name: VectorName): Promise<void> {
  const vector = await vectorPackage(name)
  const right = await compilePackage({ pool, compilers }, vector)
  const outcomes = matchResults(right)
  const wrong = outcomes.filter((outcome) => outcome !== 'exact')
  report(
    wrong.length === 0,
    `${name}: ${outcomes.length - wrong.length} of ${outcomes.length} exact ${wrong.slice(0, 3)}`,
  )
  const { tried, accepted } = acceptedMutations(right)
  report(accepted.length === 0, `${name}: ${tried} mutations refused ${accepted.slice(0, 3)}`)
  for (const settings of wrongSettings[name]) {
    const other = await compilePackage({ pool, compilers }, vector, { ...settings })
    const { refused, partial, wronglyAccepted } = resultsWithOtherSettings(right, other)
    const counts = `${refused} refused, ${partial} partial where the code is the same`
    report(wronglyAccepted.length === 0, `${name} with ${JSON.stringify(settings)}: ${counts} ${wronglyAccepted}`)
  }
  await compareOpinions(name, vector, right)
}

type Vector = Awaited<ReturnType<typeof vectorPackage>>
type Compiled = Awaited<ReturnType<typeof compilePackage>>

/** The verdicts differ only where the second verifier accepts inconsistent code: see docs/verification.md. */
async function compareOpinions(name: VectorName, vector: Vector, compiled: Compiled): Promise<void> {
  const second = await createSecondOpinion({ pool, compilers })
  const every = secondOpinionEvery[name]
  let same = 0
  const explained: string[] = []
  const unexplained: string[] = []
  for (const [i, artifact] of compiled.artifacts.entries()) {
    const contract = compiled.contractOf(artifact)
    const chain = { ...deployedFrom(artifact, contract), creation: undefined }
    const placeholders = [...contract.runtime.immutables, ...contract.runtime.libraries]
    const inconsistent = withInconsistentPlaceholder(chain.runtime, placeholders)
    if (i % every !== 0 && !inconsistent) continue
    const input = every === 1 ? vector.input : onlySourcesOf(contract, vector.input)
    const cases = {
      published: chain.runtime,
      'one byte': withFlippedByte(chain.runtime, 30),
      ...(inconsistent && { inconsistent }),
    }
    for (const [what, runtime] of Object.entries(cases)) {
      const onChain = { ...chain, runtime }
      const answer = matchWith(contract, onChain)
      const ours: Opinion = answer.type === 'match' ? answer.runtime : 'refused'
      const theirs = await second({ version: vector.solc, input, contract, chain: onChain })
      if (ours === theirs) same++
      else if (what === 'inconsistent' && ours === 'refused') explained.push(`${artifact.name} ${theirs}`)
      else unexplained.push(`${artifact.name}, ${what}: ours ${ours}, theirs ${theirs}`)
    }
  }
  report(
    unexplained.length === 0,
    `${name}, second opinion: ${same} the same, ${explained.length} inconsistent that only we refuse ${unexplained.slice(0, 5).join('; ')}`,
  )
}

/** The sources that the contract's own metadata lists: the code is the same without the rest of the package. */
function onlySourcesOf({ metadata }: CompiledContract, input: StandardInput): StandardInput {
  const compiled = Object.keys((JSON.parse(metadata!) as { sources: object }).sources)
  return { ...input, sources: Object.fromEntries(compiled.map((file) => [file, input.sources[file]!])) }
}

async function checkVersions(): Promise<void> {
  const verifying = createVerifying()
  try {
    for (const vector of manyVersions) {
      const title = `${vector.language} ${vector.version}${vector.input.settings.viaIR ? ' via IR' : ''}`
      if (!isAsked(title)) continue
      const [outcome, expected] = [await versionOutcome(verifying, vector), expectedOutcome(vector)].map((each) =>
        JSON.stringify(each),
      )
      report(outcome === expected, `${title}: ${outcome}`)
    }
  } finally {
    await verifying.stop()
  }
}
