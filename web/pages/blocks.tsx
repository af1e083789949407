import { Layout } from '../parts/layout.tsx'
import { blockColumns, blockKeys } from '../parts/lists.tsx'
import { LiveHead } from '../parts/live-head.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PageProps } from '../parts/page-shell.ts'
import { listPositionOf, type PageOf } from '../parts/records.ts'
import { Paging, Table } from '../parts/table.tsx'

export type BlocksData = PageOf<'blockList'>

export function BlocksPage({ shell, data }: PageProps<BlocksData>) {
  const isFirst = data.page === '1'
  return (
    <Layout shell={shell} title="Blocks" about={`The latest blocks of ${shell.chain.fullName}`}>
      <PageHead title="Blocks" aside={isFirst && <LiveHead topic="blocks" />} />
      <Table
        caption="Blocks, newest first"
        columns={blockColumns(shell)}
        rows={data.blockList}
        {...blockKeys}
        empty="No blocks on this page."
        live={isFirst ? 'blocks' : undefined}
      />
      <Paging path={shell.path} place={listPositionOf(data)} exports="/export/blocks" />
    </Layout>
  )
}
