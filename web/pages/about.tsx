// What a reader may want to know of the whole: what this is, what it has, what its words mean, and whose work is in it.

import { Layout } from '../parts/page/layout.tsx'
import { Fact, Facts, PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { grouped } from '../parts/text/numbers.ts'
import { Badge, type StageName, stages } from '../parts/values/stage.tsx'

export type AboutData = {
  readonly chainId: string
  readonly heads: { readonly latest: number; readonly safe: number | null; readonly finalized: number | null }
  /** What is indexed, lowest first. */
  readonly ranges: readonly { readonly firstHeight: number; readonly lastHeight: number }[]
  readonly feed: keyof typeof FEEDS
  readonly packages: readonly { readonly name: string; readonly version: string; readonly license: string }[]
}

const FEEDS = {
  followed: 'Flashblocks are followed: pages and JSON-RPC know what the next block has so far.',
  silent: 'Flashblocks are followed, but none has come for a while.',
  none: 'No flashblocks are followed here; pages show sealed blocks only.',
} as const

const WORDS: readonly (readonly [word: string, means: string])[] = [
  [
    'Flashblock',
    'A slice of the next block, told by the sequencer every fraction of a second while it builds the block.',
  ],
  ['Promise', 'What flashblocks told of a transaction: its place, whether it succeeds, its gas and its logs.'],
  ['Kept', 'The sealed block has the transaction just as it was promised.'],
  ['Changed', 'The sealed block has it, but at another place, or with another outcome.'],
  ['Dropped', 'The sealed block came without it.'],
  ['Exact match', 'The verified source compiles to the code on chain, metadata and all.'],
  ['Partial match', 'The code is the same; comments, names or paths of the source may have been others.'],
  ['Similar match', 'Not verified itself, but its code is that of a contract that is.'],
]

export function AboutPage({ shell, data }: PageProps<AboutData>) {
  return (
    <Layout shell={shell} title="About" about={`What this explorer of ${shell.chain.fullName} is and what it has`}>
      <PageHead title="About">
        <p class="summary prose">
          Firstlight is an explorer and a preconfirmation service for one chain, run by whoever runs this server. It
          follows a node and its feed of flashblocks, keeps an index of the whole chain, and remembers of every
          transaction what was promised, when, and what became of it. Nothing here asks another host for anything, and
          nobody counts who reads.
        </p>
      </PageHead>
      <Facts>
        <Fact name="Chain">
          {shell.chain.fullName} <span class="unit">({shell.chain.shortName})</span>
        </Fact>
        {data.chainId !== '' && (
          <Fact name="Chain id">
            <span class="figure">{data.chainId}</span>
          </Fact>
        )}
        <Fact name="Native token">{shell.chain.symbol}</Fact>
        <Fact name="Version">Firstlight {shell.version}</Fact>
        <Fact name="Heads">
          <span class="figure">{grouped(String(data.heads.latest))}</span> <span class="unit">latest</span>
          <Head word="safe" height={data.heads.safe} />
          <Head word="final" height={data.heads.finalized} />
        </Fact>
        <Fact name="Indexed">
          {data.ranges.map(({ firstHeight, lastHeight }, i) => (
            <span key={firstHeight}>
              {i > 0 && ', '}blocks <span class="figure">{grouped(String(firstHeight))}</span> to{' '}
              <span class="figure">{grouped(String(lastHeight))}</span>
            </span>
          ))}
          {data.ranges.length > 1 && <span class="unit"> (what lies between is being fetched)</span>}
        </Fact>
        <Fact name="Preconfirmations">{FEEDS[data.feed]}</Fact>
      </Facts>
      <section class="prose">
        <h2>What is indexed, and how</h2>
        <ul>
          <li>
            Blocks, transactions, receipts and logs as the node gives them, their hashes and roots checked again here.
          </li>
          <li>
            Internal transactions from traces; transfers of ERC-20, ERC-721 and ERC-1155 tokens from logs; balances and
            holders from both.
          </li>
          <li>A block that a reorganisation takes back is taken back here, with everything that came of it.</li>
          <li>Flashblocks as they come, kept for a day; broken promises are kept for good.</li>
          <li>Sources of contracts that were compiled again here and proved to be what runs.</li>
        </ul>
      </section>
      <section>
        <header class="section-head">
          <h2 id="stages">Stages of a transaction</h2>
        </header>
        <dl class="facts glossary" aria-labelledby="stages">
          {(Object.keys(stages) as StageName[]).map((stage) => (
            <div key={stage}>
              <dt>
                <Badge stage={stage} />
              </dt>
              <dd>{stages[stage].means}.</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <header class="section-head">
          <h2>Other words</h2>
        </header>
        <dl class="facts glossary">
          {WORDS.map(([word, means]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="prose">
        <h2>For programs</h2>
        <ul>
          <li>
            <a href="/docs">The API</a> with everything to try out, and <a href="/docs/openapi.json">openapi.json</a>
          </li>
          <li>
            JSON-RPC at <code>/flashblocks</code>, where <code>pending</code> is the preconfirmed state; the raw feed is
            a WebSocket at the same address
          </li>
          <li>
            <a href="/quality">How well promises are kept</a>, and <a href="/status">the state of this server</a>
          </li>
          <li>Every list here can be saved as CSV or NDJSON; the links stand below it.</li>
        </ul>
      </section>
      <section>
        <header class="section-head">
          <h2>Licences</h2>
        </header>
        <p class="note">Firstlight is under the MIT licence. It stands on the work of others:</p>
        <Table
          caption="Packages and their licences"
          columns={[
            { name: 'Package', cell: ({ name }) => <span class="hex">{name}</span> },
            { name: 'Version', cell: ({ version }) => <span class="figure">{version}</span> },
            { name: 'Licence', cell: ({ license }) => license },
          ]}
          rows={data.packages}
          keyOf={({ name }) => name}
          empty="No packages are known."
          isCompact
        />
      </section>
    </Layout>
  )
}

function Head({ word, height }: { word: string; height: number | null }) {
  return height === null ? null : (
    <>
      , <span class="figure">{grouped(String(height))}</span> <span class="unit">{word}</span>
    </>
  )
}
