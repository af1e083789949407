// Keeps open pages up to date: hands on what the account of preconfirmations tells, and tells when the index has changed. Another
// process may write the index, hence asking: one short statement a few times a second while anybody looks, and nothing more as long
// as nothing has changed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import type { Log } from '../../lib/log.ts'
import type { LedgerMirror } from '../../preconfirmations/ledger-mirror.ts'
import type { LivePages } from './live.ts'
import type { ChainUpdateSource } from './updates.ts'

const LOOK_EVERY_MS = 200
/** After a look that failed, and while nobody looks. */
const REST_MS = 1_000

export async function followChain(
  options: {
    kinds: readonly ChainUpdateSource[]
    live: LivePages
    answers: Pick<PageAnswers, 'heads'>
    /** Preconfirmations as they come, where this process follows a feed. */
    ledger: Pick<LedgerMirror, 'on'> | undefined
    log: Log
  },
  signal: AbortSignal,
): Promise<void> {
  const { kinds, live, answers, ledger, log } = options
  const end = ledger?.on((events) => {
    for (const { onLedgerEvents: hear } of kinds) hear(live, events)
  })
  let version = ''
  let hasComplained = false
  while (!signal.aborted) {
    let isResting = live.openPages === 0
    if (!isResting) {
      try {
        const now = await answers.heads()
        if (now.version !== version) await Promise.all(kinds.map(({ onIndexChange: look }) => look(live)))
        version = now.version
        hasComplained = false
      } catch (error) {
        isResting = true
        if (!hasComplained) log.warn({ error }, 'open pages get no news')
        hasComplained = true
      }
    }
    await sleep(isResting ? REST_MS : LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  end?.()
}
