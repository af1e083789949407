// Chooses the compiler versions to try for a submission: the version that it names, else the one that the code on chain names, else
// the newest releases that its pragmas allow.
import { parseCompilerVersion, releasesAllowed } from '../input/compiler-version.ts'
import type { Submission } from '../input/submission.ts'
import { compilerOnChain } from '../matching/code-metadata.ts'
import { type ChainCode, failureVerdict, type Mismatch } from '../matching/verdict.ts'
import type { Compilers } from './compilers.ts'

export type ChosenVersions = { readonly type: 'versions'; readonly versions: readonly string[] } | Mismatch

/** How many releases are tried where only pragmas limit the choice. */
const MAX_GUESSES = 3
const EXAMPLE = { solidity: 'v0.8.30+commit.73712a01', vyper: 'vyper:0.4.3' } as const

export async function chooseVersions(
  parts: {
    readonly compilers: Pick<Compilers, 'solidityReleases'>
    readonly submission: Submission
    readonly chain: ChainCode
  },
  signal: AbortSignal,
): Promise<ChosenVersions> {
  const { compilers, submission, chain } = parts
  const { input, language } = submission
  const text = submission.compilerVersion ?? compilerOnChain(chain)
  if (text !== undefined) {
    const requested = parseCompilerVersion(text)
    if (!requested) {
      const message = `${text} is not a compiler version such as ${EXAMPLE[language]}.`
      return failureVerdict('invalid_compiler_version', message)
    }
    if (requested.isPrerelease) {
      const message = `${text} is not a release; only released compilers are available.`
      return failureVerdict('compiler_not_available', message)
    }
    return { type: 'versions', versions: [requested.version] }
  }
  if (language === 'vyper') {
    const message = 'The code on chain does not name its compiler: give the compiler version.'
    return failureVerdict('invalid_compiler_version', message)
  }
  const sources =
    input.type === 'singleFile' ? [input.source] : Object.values(input.json.sources).map(({ content }) => content)
  const versions = releasesAllowed({ sources, releases: await compilers.solidityReleases(signal) }, MAX_GUESSES)
  if (versions.length > 0) return { type: 'versions', versions }
  const message = 'Neither the code on chain nor a pragma names an available compiler: give the compiler version.'
  return failureVerdict('invalid_compiler_version', message)
}
