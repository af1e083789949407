// What every kind of news for open pages has in common.
import type { Frame } from '../../../web/parts/page-shell.ts'
import type { rendering as webRendering } from '../../../web/render.tsx'
import type { Log } from '../../lib/log.ts'
import type { AccountEvent } from '../../preconfirmations/ledger.ts'
import type { Visit } from '../pages/visit.ts'
import type { Live, News } from './live.ts'

/** News of the chain: of preconfirmations at once, of the index after every change. */
export type ChainNews = News & {
  readonly hear: (live: Publishing, events: readonly AccountEvent[]) => void
  readonly look: (live: Publishing) => Promise<void>
}

export type Publishing = Pick<Live, 'publish' | 'followed' | 'isFollowed'>

export type NewsOptions = {
  readonly source: Pick<Visit, 'ask' | 'answers'>
  readonly rendering: typeof webRendering
  readonly chain: Frame['chain']
  readonly log: Log
}

/** Parts of a page need no more of a frame: the browser writes their times. */
export function blankFrame(chain: Frame['chain']): Frame {
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
