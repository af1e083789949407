// The list of published solc packages, so that a version that does not exist is refused without asking the registry for it.
import { releaseOf } from '../input/compiler-version.ts'
import { type SolcPackages, solcPackages } from './npm-solc.ts'

export type SolcList = {
  /** `unknown` where the registry does not give its list. */
  has: (version: string, signal: AbortSignal) => Promise<'yes' | 'no' | 'unknown'>
}

/** A version that is not in a list of this age may have been published since. */
const LIST_CACHED_MS = 300_000
const FAILURE_CACHED_MS = 60_000

export function createSolcList(ask: (signal: AbortSignal) => Promise<SolcPackages> = solcPackages): SolcList {
  let asked: { readonly untilMs: number; readonly answer: Promise<SolcPackages> } | undefined
  let known: ReadonlySet<string> | undefined

  const refresh = async (signal: AbortSignal): Promise<void> => {
    if (!asked || performance.now() > asked.untilMs) {
      asked = { untilMs: performance.now() + FAILURE_CACHED_MS, answer: ask(signal) }
    }
    const { answer } = asked
    const packages = await answer
    if (packages.type === 'failed' || asked.answer !== answer) return
    asked = { answer, untilMs: performance.now() + LIST_CACHED_MS }
    // A corrected package has the suffix -fixed.
    known = new Set(packages.versions.map(releaseOf))
  }

  return {
    has: async (version, signal) => {
      if (known?.has(version)) return 'yes'
      await refresh(signal)
      if (!known) return 'unknown'
      return known.has(version) ? 'yes' : 'no'
    },
  }
}
