import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { grouped } from '../parts/text/numbers.ts'
import { Block } from '../parts/values/references.tsx'
import { Time } from '../parts/values/time.tsx'

export type FutureBlockData = {
  readonly height: number
  readonly latest: number
  /** At the pace of the last blocks; empty where there were too few to tell. */
  readonly expectedMs: string
}

export function FutureBlockPage({ shell, data: { height, latest, expectedMs } }: PageProps<FutureBlockData>) {
  return (
    <Layout shell={shell} title={`Block ${height}, to come`}>
      <PageHead
        crumbs={[['/blocks', 'Blocks']]}
        title={
          <>
            Block <span class="figure">{grouped(String(height))}</span> is to come
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
          {expectedMs === '' ? 'too few blocks yet to tell' : <Time ms={expectedMs} shell={shell} />}
        </Fact>
        <Fact name="Latest block">
          <Block height={String(latest)} />
        </Fact>
      </Facts>
    </Layout>
  )
}
