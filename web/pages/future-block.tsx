import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { grouped } from '../parts/text/numbers.ts'
import { Block } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type FutureBlockData = {
  readonly height: number
  readonly latest: number
  /** Estimated from the time between the last blocks; empty where there are too few blocks. */
  readonly expectedMs: string
}

export function FutureBlockPage({ shell, data: { height, latest, expectedMs } }: PageProps<FutureBlockData>) {
  return (
    <Layout shell={shell} title={`Block ${height} does not exist yet`}>
      <PageHead
        crumbs={[['/blocks', 'Blocks']]}
        title={
          <>
            Block <span class="figure">{grouped(String(height))}</span> does not exist yet
          </>
        }
      />
      <div class="countdown" data-countdown={height}>
        <strong class="figure" data-blocks>
          {grouped(String(height - latest))}
        </strong>
        <span>{height - latest === 1 ? 'block' : 'blocks'} to go</span>
      </div>
      <Facts>
        <Fact name="Expected">
          {expectedMs === '' ? 'unknown: there are too few blocks yet' : <Time ms={expectedMs} shell={shell} />}
        </Fact>
        <Fact name="Latest block">
          <Block height={String(latest)} />
        </Fact>
      </Facts>
    </Layout>
  )
}
