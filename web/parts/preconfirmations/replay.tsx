// The block as it was after each of its flashblocks. Without scripts the reader follows links; with scripts a slider
// (islands/replay.ts) does the same.

import type { BlockPreconfirmations, FlashblockTransaction } from '../../../src/contract/pages.ts'
import { Fact, Facts } from '../page/page-head.tsx'
import type { PageShell } from '../page/page-shell.ts'
import { Table } from '../page/table.tsx'
import { grouped } from '../text/numbers.ts'
import { Hash } from '../values/references.tsx'
import { flashblockLineColumns } from './flashblock-lines.tsx'

type Flashblock = BlockPreconfirmations['flashblocks'][number]

export type ReplayData = {
  /** The block is shown as it was after this flashblock. */
  readonly at: Flashblock
  readonly indexes: readonly string[]
  readonly startedTime: string
  /** Of this flashblock and all before it. */
  readonly transactions: readonly (FlashblockTransaction & { readonly flashblockIndex: string })[]
  readonly isTruncated: boolean
}

export function Replay({ shell, replay }: { shell: PageShell; replay: ReplayData }) {
  const { at, indexes, transactions } = replay
  const { flashblockIndex: index, height } = at
  return (
    <section class="replay" data-replay={`/block/${height}?tab=flashblocks&at=`}>
      <header class="section-head">
        <h2>
          The block after flashblock <span class="figure">{index}</span>
        </h2>
        <nav class="choices" aria-label="Show the block after flashblock">
          {indexes.map((each) => (
            <a
              key={each}
              href={`/block/${height}?tab=flashblocks&at=${each}`}
              data-index={each}
              {...(each === index && { 'aria-current': 'true' })}
            >
              {each}
            </a>
          ))}
        </nav>
      </header>
      <label class="scrub" hidden>
        <span class="hidden">Flashblock</span>
        <input type="range" min={0} max={indexes.length - 1} step={1} value={indexes.indexOf(index)} />
      </label>
      <Facts isBrief>
        <Fact name="Received">
          <span class="figure">+{grouped(String(Number(at.receivedTime) - Number(replay.startedTime)))}</span>{' '}
          <span class="unit">ms after the first flashblock</span>
        </Fact>
        <Fact name="Transactions">
          <span class="figure">{transactions.length}</span>
        </Fact>
        <Fact name="Gas used">
          <span class="figure">{grouped(at.gasUsed)}</span>
        </Fact>
        <Fact name="Block hash so far">
          <Hash hash={at.hash} what="hash" />
        </Fact>
      </Facts>
      <Table
        caption="Transactions of the block so far"
        columns={[
          {
            name: 'Flashblock',
            cell: ({ flashblockIndex }) => (
              <span class={flashblockIndex === index ? 'tag new' : 'tag'}>{flashblockIndex}</span>
            ),
          },
          ...flashblockLineColumns(shell.chain.symbol),
        ]}
        rows={transactions}
        keyOf={({ hash }) => hash}
        empty="No transactions so far."
      />
      {replay.isTruncated && (
        <p class="note">This page does not show everything; the API returns the complete flashblocks.</p>
      )}
    </section>
  )
}
