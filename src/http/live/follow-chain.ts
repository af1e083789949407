// Updates open pages: passes on the events of the preconfirmation ledger, and reports changes of the index. Another process may
// write the index, so it is polled: one short statement a few times a second while a page is open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageAnswers } from '../../explorer/pages/page-answers.ts'
import type { Log } from '../../lib/log.ts'
import type { LedgerMirror } from '../../preconfirmations/ledger-mirror.ts'
import type { LivePages } from './live.ts'
import type { ChainUpdateSource } from './updates.ts'

const POLL_MS = 200
/** After a poll that failed, and while no page is open. */
const IDLE_MS = 1_000

export async function followChain(
  options: {
    kinds: readonly ChainUpdateSource[]
    live: LivePages
    answers: Pick<PageAnswers, 'heads'>
    /** Undefined where this process follows no feed. */
    ledger: Pick<LedgerMirror, 'on'> | undefined
    log: Log
  },
  signal: AbortSignal,
): Promise<void> {
  const { kinds, live, answers, ledger, log } = options
  const end = ledger?.on((events) => {
    for (const { onLedgerEvents } of kinds) onLedgerEvents(live, events)
  })
  let version = ''
  let hasLogged = false
  while (!signal.aborted) {
    let isIdle = live.openPages === 0
    if (!isIdle) {
      try {
        const now = await answers.heads()
        if (now.version !== version) await Promise.all(kinds.map(({ onIndexChange: look }) => look(live)))
        version = now.version
        hasLogged = false
      } catch (error) {
        isIdle = true
        if (!hasLogged) log.warn({ error }, 'live pages: reading the index failed, open pages get no updates')
        hasLogged = true
      }
    }
    await sleep(isIdle ? IDLE_MS : POLL_MS, undefined, { signal }).catch(() => undefined)
  }
  end?.()
}
