import { Layout } from '../parts/layout.tsx'
import { blockColumns, blockKeys } from '../parts/lists.tsx'
import { LiveHead } from '../parts/live-head.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { type PageOf, placeOf } from '../parts/records.ts'
import { Paging, Table } from '../parts/table.tsx'

export type BlocksData = PageOf<'blockList'>

export function BlocksPage({ frame, data }: PageProps<BlocksData>) {
  const isFirst = data.page === '1'
  return (
    <Layout frame={frame} title="Blocks" about={`The latest blocks of ${frame.chain.fullName}`}>
      <PageHead title="Blocks" aside={isFirst && <LiveHead topic="blocks" />} />
      <Table
        caption="Blocks, newest first"
        columns={blockColumns(frame)}
        rows={data.blockList}
        {...blockKeys}
        empty="No blocks on this page."
        live={isFirst ? 'blocks' : undefined}
      />
      <Paging path={frame.path} place={placeOf(data)} exports="/export/blocks" />
    </Layout>
  )
}
