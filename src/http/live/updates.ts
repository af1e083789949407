// What all sources of updates for open pages share.
import type { PageShell } from '../../../web/parts/page/page-shell.ts'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { Log } from '../../lib/log.ts'
import type { LedgerEvent } from '../../preconfirmations/ledger.ts'
import type { Visit } from '../pages/visit.ts'
import type { LivePages, UpdateSource } from './live.ts'

/** Updates that follow the chain: preconfirmations as the ledger reports them, and the index after every change. */
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

/** The page shell for a part of a page. Times are written by the browser. */
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
