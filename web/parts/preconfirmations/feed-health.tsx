// The state of the feed, and of each upstream of it.

import { Nothing } from '../page/page-head.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { Table } from '../page/table.tsx'
import { grouped } from '../text/numbers.ts'

export type FeedHealth = {
  readonly isStale: boolean
  /** Time since the pending chain last advanced; null before the first flashblock. */
  readonly ageMs: number | null
  readonly preconfirmed: number | null
  readonly canonical: number | null
  /** Messages that were lost because this process was too slow. */
  readonly lost: number
  /** Flashblocks that did not continue the sequence. */
  readonly unexpectedOrder: number
  readonly reorgs: number
  readonly upstreams: readonly {
    readonly isConnected: boolean
    readonly reconnects: number
    readonly messages: number
    readonly firsts: number
    readonly unreadable: number
    readonly lagMs: number | null
    readonly disproved: number
    readonly isDistrusted: boolean
  }[]
}

export function FeedHealthPart({ feed }: { feed: FeedHealth | undefined }) {
  if (!feed) return <Nothing>This server follows no feed.</Nothing>
  return (
    <div class="feed-health">
      <dl class="figures">
        <Figure name="Status" value={feed.isStale ? 'Stale' : 'Live'} />
        <Figure
          name="Last flashblock"
          value={feed.ageMs === null ? 'none yet' : `${grouped(String(feed.ageMs))} ms ago`}
        />
        <Figure name="Preconfirmed block" value={numberText(feed.preconfirmed)} />
        <Figure name="Sealed block" value={numberText(feed.canonical)} />
        <Figure name="Out of order" value={numberText(feed.unexpectedOrder)} />
        <Figure name="Reorgs" value={numberText(feed.reorgs)} />
      </dl>
      <Table
        caption="Upstreams of the feed"
        columns={[
          { name: 'Upstream', cell: ({ number }) => `Upstream ${number}` },
          { name: 'Connection', cell: connectionText },
          { name: 'Reconnects', isFigure: true, cell: ({ reconnects }) => grouped(String(reconnects)) },
          { name: 'Messages', isFigure: true, cell: ({ messages }) => grouped(String(messages)) },
          { name: 'First to deliver', isFigure: true, cell: ({ firsts }) => grouped(String(firsts)) },
          { name: 'Unreadable', isFigure: true, cell: ({ unreadable }) => grouped(String(unreadable)) },
          { name: 'Disproved by blocks', isFigure: true, cell: ({ disproved }) => grouped(String(disproved)) },
          {
            name: 'Behind the fastest',
            isFigure: true,
            cell: ({ lagMs }) => (lagMs === null ? '–' : `${Math.round(lagMs)} ms`),
          },
        ]}
        rows={feed.upstreams.map((upstream, i) => ({ ...upstream, number: String(i + 1) }))}
        keyOf={({ number }) => number}
        empty="There are no upstreams."
      />
    </div>
  )
}

function connectionText({ isConnected, isDistrusted }: FeedHealth['upstreams'][number]): string {
  if (!isConnected) return 'Not connected'
  return isDistrusted ? 'Connected, not believed' : 'Connected'
}

function numberText(value: number | null): string {
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

/** What readers should know about preconfirmations now; nothing while all is well. */
export function PreconfirmationNotes({ shell }: { shell: PageShell }) {
  return (
    <>
      {(shell.preconfirmationNotes ?? []).map((note) => (
        <p class="note" key={note}>
          {note} <a href="/about#words">What is a preconfirmation?</a>
        </p>
      ))}
    </>
  )
}
