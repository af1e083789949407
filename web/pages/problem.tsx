import { Layout, Search } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'

export type ProblemData = {
  readonly title: string
  /** What happened, and what the reader can do. */
  readonly text: string
  /** Seconds after which it is worth another try. */
  readonly retryAfterS: number | undefined
}

export function ProblemPage({ shell, data: { title, text, retryAfterS } }: PageProps<ProblemData>) {
  return (
    <Layout shell={shell} title={title}>
      <PageHead title={title}>
        <p class="summary">{text}</p>
        {retryAfterS !== undefined && (
          <p>
            <a href={shell.path}>Try again</a>, best after {retryAfterS} s.
          </p>
        )}
      </PageHead>
      <Search value="" isLarge />
      <p class="note">
        Or go on from the <a href="/">home page</a>, the latest <a href="/blocks">blocks</a> or{' '}
        <a href="/txs">transactions</a>.
      </p>
    </Layout>
  )
}
