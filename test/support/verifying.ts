// A verifier with its own compilers, and contracts that it compiled itself and the engine deployed.
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, concatBytes, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { createCompile } from '../../src/verification/compile/compile.ts'
import { allCode } from '../../src/verification/compile/compiler-input.ts'
import { createCompilePool } from '../../src/verification/compile/pool.ts'
import { createResultCache } from '../../src/verification/compile/result-cache.ts'
import { createCompilers } from '../../src/verification/compilers/compilers.ts'
import { fetchEnvironmentFrom } from '../../src/verification/compilers/fetch-step.ts'
import type { StandardInput } from '../../src/verification/input/standard-input.ts'
import type { Language, Submission } from '../../src/verification/input/submission.ts'
import { contractsOf } from '../../src/verification/matching/compiled-contract.ts'
import type { ChainCode, Match, Mismatch, Verdict } from '../../src/verification/matching/verdict.ts'
import { createVerifier, type Stage } from '../../src/verification/verify.ts'
import { deployedByEngine } from './deployed-code.ts'

/** The compiler that needs no fetching. */
export const SOLC = '0.8.30'
const TIMEOUT_MS = 300_000

export type Build = {
  readonly input: StandardInput
  readonly name: string
  readonly version?: string
  readonly language?: Language
  readonly constructorArguments?: Hex
  readonly libraries?: Readonly<Record<string, Hex>>
}

export type Verifying = ReturnType<typeof createVerifying>

export function createVerifying({ compilersDir }: { compilersDir?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-verify-'))
  const pool = createCompilePool()
  const compilers = createCompilers({
    folder,
    compilersDir,
    pool,
    environment: fetchEnvironmentFrom(process.env, homedir()),
  })
  const cache = createResultCache(join(folder, 'results'))
  const verifier = createVerifier({ compilers, pool, cache })
  const compile = createCompile({ pool, cache })

  return {
    pool,
    compilers,
    verifier,
    /** Compiled and linked, as it would be sent to a chain. */
    creationOf: async ({ input, name, version = SOLC, language = 'solidity', libraries = {}, ...rest }: Build) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const found = await compilers.compiler(language, version, signal)
      if (found.type === 'unavailable') throw new Error(found.reason)
      const compiled = await compile(
        { compiler: found.compiler, input, outputSelection: allCode(language, version) },
        signal,
      )
      if (compiled.type === 'failed') throw new Error(compiled.message)
      const contract = contractsOf(compiled.output).find((each) => each.name === name)
      if (!contract) throw new Error(`no ${name}`)
      const bytes = Uint8Array.from(contract.creation.bytes)
      for (const { name: library, ranges } of contract.creation.libraries) {
        for (const { start } of ranges) bytes.set(hexToBytes(libraries[library.replace(/^.*:/, '')]!), start)
      }
      return bytesToHex(concatBytes(bytes, hexToBytes(rest.constructorArguments ?? '0x')))
    },
    deployed: async function (build: Build): Promise<ChainCode> {
      return deployedByEngine(await this.creationOf(build))
    },
    verify: (submission: Submission, chain: ChainCode, onStage: (stage: Stage) => void = () => {}): Promise<Verdict> =>
      verifier.verify(submission, chain, { onStage, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    stop: async () => {
      await verifier.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function solidity(
  sources: Readonly<Record<string, string>>,
  settings: StandardInput['settings'] = {},
): StandardInput {
  return {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings: { optimizer: { enabled: true, runs: 200 }, ...settings },
  }
}

export function submissionOf(json: StandardInput, contractName: string, more: Partial<Submission> = {}): Submission {
  return {
    language: json.language === 'Vyper' ? 'vyper' : 'solidity',
    input: { type: 'standardJson', json },
    contractName,
    compilerVersion: SOLC,
    libraries: [],
    ...more,
  }
}

export function matchOf(verdict: Verdict): Match {
  if (verdict.type === 'failure') throw new Error(`${verdict.code}: ${verdict.message}`)
  return verdict
}

export function failureOf(verdict: Verdict): Mismatch {
  if (verdict.type === 'match') throw new Error(`it is verified: ${verdict.match}`)
  return verdict
}
