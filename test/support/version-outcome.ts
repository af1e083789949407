// What the whole verifier says of one version vector.
import { withFlippedByte } from './deployed-code.ts'
import { type createVerifying, submissionOf } from './verifying.ts'
import type { VersionVector } from './version-vectors.ts'

export type VersionOutcome = {
  readonly same: string
  readonly reworded: string
  readonly changed: string
  readonly oneByte: string
  readonly withoutCreation: string
}

export async function versionOutcome(
  verifying: ReturnType<typeof createVerifying>,
  vector: VersionVector,
): Promise<VersionOutcome> {
  const { name, version, input, reworded, changed } = vector
  const chain = await verifying.deployed(vector)
  const outcome = async (json: VersionVector['input'], onChain = chain): Promise<string> => {
    const verdict = await verifying.verify(submissionOf(json, name, { compilerVersion: `v${version}` }), onChain)
    return verdict.type === 'match' ? verdict.match : verdict.code
  }
  return {
    same: await outcome(input),
    reworded: await outcome(reworded),
    changed: await outcome(changed),
    oneByte: await outcome(input, { ...chain, runtime: withFlippedByte(chain.runtime, 30) }),
    withoutCreation: await outcome(input, { ...chain, creation: undefined }),
  }
}

export function expectedOutcome({ level, language, version }: VersionVector): VersionOutcome {
  return {
    same: level,
    reworded: 'partial',
    changed: 'no_match',
    // The same metadata and other code is what a known bug of two compilers looks like.
    oneByte: ['0.6.12', '0.7.0'].includes(version) ? 'extra_file_input_bug' : 'no_match',
    // Vyper pins its sources in the creation code only.
    withoutCreation: language === 'vyper' ? 'partial' : level,
  }
}
