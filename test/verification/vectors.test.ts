// Recompiles published packages: each artifact must match exactly, and none of its mutations may match. `npm run test:vectors` runs
// all packages and settings; this test has those that compile within the time of a test run.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCompilePool } from '../../src/verification/compile/pool.ts'
import { createCompilers } from '../../src/verification/compilers/compilers.ts'
import { fetchEnvironmentFrom } from '../../src/verification/compilers/fetch-step.ts'
import { type VectorName, vectorPackage } from '../support/vector-packages.ts'
import { acceptedMutations, compilePackage, matchResults, resultsWithOtherSettings } from '../support/vector-run.ts'
import { createVerifying } from '../support/verifying.ts'
import { expectedOutcome, versionOutcome } from '../support/version-outcome.ts'
import { fewVersions } from '../support/version-vectors.ts'

const COMPILING_MS = 1_200_000
const folder = mkdtempSync(join(tmpdir(), 'firstlight-vectors-'))
const pool = createCompilePool({ size: availableParallelism() })
const compilers = createCompilers({ folder, pool, environment: fetchEnvironmentFrom(process.env, homedir()) })

const verifying = createVerifying()

afterAll(async () => {
  await verifying.stop()
  await pool.stop()
  rmSync(folder, { recursive: true, force: true })
})

const expected: Readonly<Partial<Record<VectorName, number>>> = {
  'openzeppelin-5.7.0': 81,
  'openzeppelin-3.4.2': 41,
  'safe-1.4.1': 25,
  'uniswap-v2': 7,
}

describe.concurrent.for(Object.entries(expected) as [VectorName, number][])('the artifacts of %s', ([name, count]) => {
  test(`all ${count} artifacts of ${name} match exactly, and no mutation of them matches`, {
    timeout: COMPILING_MS,
  }, async ({ expect }) => {
    const compiled = await compilePackage({ pool, compilers }, await vectorPackage(name))
    expect(matchResults(compiled)).toEqual(Array(count).fill('exact'))
    const { tried, accepted } = acceptedMutations(compiled)
    expect(accepted).toEqual([])
    expect(tried).toBeGreaterThan(count * 5)
  })
})

describe('wrong settings', () => {
  test.for([
    ['uniswap-v2', { optimizer: { enabled: true, runs: 1 } }],
    ['safe-1.4.1', { optimizer: { enabled: true, runs: 1 } }],
  ] as const)(
    'wrong settings never give an exact match: %s with %o',
    { timeout: COMPILING_MS },
    async ([name, settings]) => {
      const vector = await vectorPackage(name)
      const [right, wrong] = await Promise.all([
        compilePackage({ pool, compilers }, vector),
        compilePackage({ pool, compilers }, vector, settings),
      ])
      const { refused, wronglyAccepted } = resultsWithOtherSettings(right, wrong)
      expect(wronglyAccepted).toEqual([])
      expect(refused).toBeGreaterThan(0)
    },
  )
})

describe.for(fewVersions)('$language $version', (vector) => {
  test(`${vector.language} ${vector.version} matches its own code, matches a reworded source partially, and refuses a changed one`, {
    timeout: COMPILING_MS,
  }, async () => {
    expect(await versionOutcome(verifying, vector)).toEqual(expectedOutcome(vector))
  })
})
