// How the feed is doing, upstream by upstream.

import { Nothing } from '../page/page-head.tsx'
import { Table } from '../page/table.tsx'
import { grouped } from '../text/numbers.ts'

export type FeedHealth = {
  readonly isStale: boolean
  /** Since the preconfirmed chain last became newer; null before the first flashblock. */
  readonly ageMs: number | null
  readonly preconfirmed: number | null
  readonly canonical: number | null
  /** Messages that this service was too slow for. */
  readonly lost: number
  /** Flashblocks that did not continue what came before them. */
  readonly unexpectedOrder: number
  readonly reorgs: number
  readonly upstreams: readonly {
    readonly isConnected: boolean
    readonly reconnects: number
    readonly messages: number
    readonly firsts: number
    readonly unreadable: number
    readonly lagMs: number | null
  }[]
}

export function FeedHealthPart({ feed }: { feed: FeedHealth | undefined }) {
  if (!feed) return <Nothing>This process follows no feed.</Nothing>
  return (
    <div class="feed-health">
      <dl class="figures">
        <Figure name="State" value={feed.isStale ? 'Stale' : 'Live'} />
        <Figure
          name="Last flashblock"
          value={feed.ageMs === null ? 'none yet' : `${grouped(String(feed.ageMs))} ms ago`}
        />
        <Figure name="Preconfirmed block" value={told(feed.preconfirmed)} />
        <Figure name="Sealed block" value={told(feed.canonical)} />
        <Figure name="Out of order" value={told(feed.unexpectedOrder)} />
        <Figure name="Reorganisations" value={told(feed.reorgs)} />
      </dl>
      <Table
        caption="Upstreams of the feed"
        columns={[
          { name: 'Upstream', cell: ({ number }) => `Upstream ${number}` },
          { name: 'Connection', cell: ({ isConnected }) => (isConnected ? 'Connected' : 'Not connected') },
          { name: 'Reconnects', isFigure: true, cell: ({ reconnects }) => grouped(String(reconnects)) },
          { name: 'Messages', isFigure: true, cell: ({ messages }) => grouped(String(messages)) },
          { name: 'First to tell', isFigure: true, cell: ({ firsts }) => grouped(String(firsts)) },
          { name: 'Unreadable', isFigure: true, cell: ({ unreadable }) => grouped(String(unreadable)) },
          {
            name: 'Behind the fastest',
            isFigure: true,
            cell: ({ lagMs }) => (lagMs === null ? '–' : `${Math.round(lagMs)} ms`),
          },
        ]}
        rows={feed.upstreams.map((upstream, i) => ({ ...upstream, number: String(i + 1) }))}
        keyOf={({ number }) => number}
        empty="No upstream."
      />
    </div>
  )
}

function told(value: number | null): string {
  return value === null ? '–' : grouped(String(value))
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value}</dd>
    </div>
  )
}
