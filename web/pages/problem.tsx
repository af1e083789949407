import { Layout, Search } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

export type ProblemData = {
  readonly title: string
  /** What happened, and what the reader can do. */
  readonly text: string
  readonly retryAfterS: number | undefined
}

export function ProblemPage({ shell, data: { title, text, retryAfterS } }: PageProps<ProblemData>) {
  return (
    <Layout shell={shell} title={title}>
      <PageHead title={title}>
        <p class="summary">{text}</p>
        {retryAfterS !== undefined && (
          <p>
            <a href={shell.path}>Try again</a> in {retryAfterS} s.
          </p>
        )}
      </PageHead>
      <Search value="" isLarge />
      <p class="note">
        Or go to the <a href="/">home page</a>, the latest <a href="/blocks">blocks</a> or the latest{' '}
        <a href="/txs">transactions</a>.
      </p>
    </Layout>
  )
}
