// What every kind of news for open pages has in common.
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { Log } from '../../lib/log.ts'
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { Visit } from '../pages/visit.ts'
import type { LivePages, UpdateSource } from './live.ts'

/** News of the chain: of preconfirmations at once, of the index after every change. */
export type ChainUpdateSource = UpdateSource & {
  readonly onLedgerEvents: (live: Publisher, events: readonly LedgerEvent[]) => void
  readonly onIndexChange: (live: Publisher) => Promise<void>
}

export type Publisher = Pick<LivePages, 'publish' | 'followedTopics' | 'isFollowed'>

export type UpdateSourceOptions = {
  readonly source: Pick<Visit, 'ask' | 'answers'>
  readonly rendering: typeof webRendering
  readonly chain: PageShell['chain']
  readonly log: Log
}

/** Parts of a page need no more of a shell: the browser writes their times. */
export function fragmentShell(chain: PageShell['chain']): PageShell {
  return {
    chain,
    path: '/',
    theme: 'system',
    clock: 'age',
    nowMs: Date.now(),
    assets: { style: '', script: '' },
    version: '',
  }
}
