// The versions of a compiler that its registry has, so that one which does not exist is refused with at most one question to the registry.

export type PublishedVersions =
  | { readonly type: 'listed'; readonly versions: readonly string[] }
  | { readonly type: 'failed'; readonly reason: string }

export type VersionList = {
  /** Whether the version is published; the reason where the registry does not give its list. */
  has: (version: string, signal: AbortSignal) => Promise<boolean | { readonly unknown: string }>
}

/** A version that is not in a list of this age may have been published since. */
const LIST_CACHED_MS = 300_000
const FAILURE_CACHED_MS = 60_000

export function createVersionList(ask: (signal: AbortSignal) => Promise<PublishedVersions>): VersionList {
  let asked: { readonly untilMs: number; readonly answer: Promise<PublishedVersions> } | undefined
  let known: ReadonlySet<string> | undefined

  /** The reason of a failure. */
  const refresh = async (signal: AbortSignal): Promise<string | undefined> => {
    if (!asked || performance.now() > asked.untilMs) {
      asked = { untilMs: performance.now() + FAILURE_CACHED_MS, answer: ask(signal) }
    }
    const { answer } = asked
    const published = await answer
    if (published.type === 'failed') return published.reason
    if (asked.answer === answer) asked = { answer, untilMs: performance.now() + LIST_CACHED_MS }
    known = new Set(published.versions)
    return undefined
  }

  return {
    has: async (version, signal) => {
      if (known?.has(version)) return true
      const reason = await refresh(signal)
      // A list that was read before is better than none, but it does not prove that a version is absent.
      return reason === undefined ? known!.has(version) : { unknown: reason }
    },
  }
}
