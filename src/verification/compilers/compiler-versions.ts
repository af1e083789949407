// Which compiler versions a submission can mean: the one it names, else the one that the code on chain names, else the newest
// that its pragmas allow.

import type { Submission } from '../input/submission.ts'
import { compilerOnChain } from '../matching/explain.ts'
import type { ChainCode, Mismatch } from '../matching/verdict.ts'
import { wantedVersion } from './compiler.ts'
import type { Compilers } from './compilers.ts'
import { releasesAllowed } from './pragma.ts'

export type Wanted = { readonly type: 'versions'; readonly versions: readonly string[] } | Mismatch

const MAX_GUESSES = 3
const EXAMPLE = { solidity: 'v0.8.30+commit.73712a01', vyper: 'vyper:0.4.3' } as const

export type WantedQuestion = {
  readonly compilers: Compilers
  readonly submission: Submission
  readonly chain: ChainCode
}

export async function wantedCompilers(question: WantedQuestion, signal: AbortSignal): Promise<Wanted> {
  const { compilers, submission, chain } = question
  const said = submission.compilerVersion ?? compilerOnChain(chain)
  if (said !== null) {
    const wanted = wantedVersion(said)
    if (wanted === null)
      return refusal(
        'invalid_compiler_version',
        `${said} is not a compiler version such as ${EXAMPLE[submission.language]}.`,
      )
    if (wanted.isPrerelease) {
      return refusal('compiler_not_available', `${said} is not a release; only released compilers can be had.`)
    }
    return { type: 'versions', versions: [wanted.version] }
  }
  if (submission.language === 'vyper') {
    return refusal(
      'invalid_compiler_version',
      'The code on chain does not name its compiler: give the compiler version.',
    )
  }
  const { input } = submission
  const sources =
    input.type === 'singleFile' ? [input.source] : Object.values(input.json.sources).map(({ content }) => content)
  const versions = releasesAllowed({ sources, releases: await compilers.solidityReleases(signal) }, MAX_GUESSES)
  if (versions.length > 0) return { type: 'versions', versions }
  const message = 'Neither the code on chain nor a pragma names a compiler that can be had: give the compiler version.'
  return refusal('invalid_compiler_version', message)
}

function refusal(code: Mismatch['code'], message: string): Mismatch {
  return { type: 'failure', code, message, details: {} }
}
