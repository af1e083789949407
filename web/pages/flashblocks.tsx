import type { FlashblockItem } from '../parts/flashblock-strip.tsx'
import { Layout } from '../parts/layout.tsx'
import { LiveHead } from '../parts/live-head.tsx'
import { grouped } from '../parts/numbers.ts'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps, PageShell } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Block } from '../parts/references.tsx'
import { type Column, Paging, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

export type FlashblocksData = PageOf<'flashblockList'>

export function FlashblocksPage({ shell, data }: PageProps<FlashblocksData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Flashblocks" about={`The latest flashblocks of ${shell.chain.fullName}`}>
      <PageHead title="Flashblocks" aside={isFirst && <LiveHead topic="flashblock-list" />}>
        <p class="summary">
          The slices of each block, as the feed preconfirmed them. They are kept for a day; how well they are kept is on{' '}
          <a href="/quality">quality</a>.
        </p>
      </PageHead>
      <Table
        caption="Flashblocks, newest first"
        columns={flashblockColumns(shell)}
        rows={data.flashblockList}
        {...flashblockKeys}
        empty="No flashblock is known: is a feed followed?"
        live={isFirst ? 'flashblock-list' : undefined}
      />
      <Paging path={shell.path} place={listPositionOf(data)} exports="/export/flashblocks" />
    </Layout>
  )
}

export const flashblockKeys = {
  keyOf: ({ height, attempt, flashblockIndex }: FlashblockItem): string => `${height}-${attempt}-${flashblockIndex}`,
  versionOf: ({ hash }: FlashblockItem): string => hash,
}

export function flashblockColumns(shell: PageShell): Column<FlashblockItem>[] {
  return [
    {
      name: 'Flashblock',
      cell: ({ height, flashblockIndex }) => (
        <a class="figure" href={`/flashblock/${height}/${flashblockIndex}`}>
          {height} / {flashblockIndex}
        </a>
      ),
    },
    { name: 'Block', cell: ({ height }) => <Block height={height} /> },
    { name: 'Received', cell: ({ receivedTime }) => <Time ms={receivedTime} shell={shell} /> },
    { name: 'Transactions', isFigure: true, cell: ({ txnCount }) => txnCount },
    { name: 'Gas of the block so far', isFigure: true, cell: ({ gasUsed }) => grouped(gasUsed) },
    { name: 'Payload', isExtra: true, cell: ({ payloadId }) => <span class="hex">{payloadId}</span> },
  ]
}
