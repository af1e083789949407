// What this explorer is, what it has indexed, what its words mean, and which packages it uses. Other pages link to this one for words that other
// explorers do not have.

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
  /** What each URL of the node is and can do; empty while that is not known. */
  readonly nodes: readonly string[]
  readonly feed: keyof typeof FEEDS
  readonly packages: readonly { readonly name: string; readonly version: string; readonly license: string }[]
}

const FEEDS = {
  followed: 'This server follows a feed of flashblocks: pages and JSON-RPC show the block that is being built.',
  silent: 'This server follows a feed of flashblocks, but has received none for a while.',
  none: 'This server follows no feed of flashblocks; pages show sealed blocks only.',
} as const

const WORDS: readonly (readonly [word: string, means: string])[] = [
  ['Flashblock', 'A part of the block that is being built. The sequencer publishes one every fraction of a second.'],
  ['Preconfirmation', 'What a flashblock announces about a transaction: position, status, gas used and logs.'],
  ['Sealed', 'The sequencer has published the whole block.'],
  ['Kept', 'The sealed block contains the transaction exactly as it was preconfirmed.'],
  ['Changed', 'The sealed block contains the transaction, but its position, status, gas or logs differ.'],
  ['Dropped', 'The sealed block does not contain the transaction. A later block may still include it.'],
  ['Confirmations', 'How many blocks there are from the block of the transaction to the latest block.'],
  ['Payload', 'One attempt of the sequencer to build a block; all its flashblocks share a payload id.'],
  ['Exact match', 'The verified source compiles to exactly the code on chain, metadata included.'],
  [
    'Partial match',
    'The code is the same; comments, variable names or file paths may differ from the original source.',
  ],
  ['Similar match', 'This contract was not verified itself, but a verified contract has the same code.'],
]

export function AboutPage({ shell, data }: PageProps<AboutData>) {
  return (
    <Layout shell={shell} title="About" about={`About this explorer of ${shell.chain.fullName}`}>
      <PageHead title="About">
        <p class="summary prose">
          Firstlight is a block explorer and preconfirmation service for one chain. It follows a node and its feed of
          flashblocks, indexes the whole chain, and records for every transaction what was preconfirmed, when, and
          whether the sealed block kept it. Pages load nothing from other hosts, and visitors are not tracked.
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
          {data.ranges.length > 1 && <span class="unit"> (the blocks in between are still being indexed)</span>}
        </Fact>
        {data.nodes.length > 0 && (
          <Fact name="Node">
            {data.nodes.map((abilities) => (
              <div key={abilities}>{abilities}</div>
            ))}
          </Fact>
        )}
        <Fact name="Preconfirmations">{FEEDS[data.feed]}</Fact>
      </Facts>
      <section class="prose">
        <h2>What is indexed, and how</h2>
        <ul>
          <li>
            Blocks, transactions, receipts and logs come from the node; this explorer checks their hashes and roots.
          </li>
          <li>
            Internal transactions from traces; transfers of ERC-20, ERC-721 and ERC-1155 tokens from logs; balances and
            holders from both.
          </li>
          <li>A reorg removes the replaced blocks from the index, with everything that was derived from them.</li>
          <li>Flashblocks are stored for one day; preconfirmations that were changed or dropped are stored forever.</li>
          <li>This explorer compiles the source code of contracts and compares it with the code on chain.</li>
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
          <h2 id="words">Glossary</h2>
        </header>
        <dl class="facts glossary" aria-labelledby="words">
          {WORDS.map(([word, means]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="prose">
        <h2>For developers</h2>
        <ul>
          <li>
            <a href="/docs">The API</a> with a form to try each endpoint, and{' '}
            <a href="/docs/openapi.json">openapi.json</a>
          </li>
          <li>
            JSON-RPC at <code>/flashblocks</code>, where <code>pending</code> is the preconfirmed state; the same path
            is a WebSocket of the raw feed
          </li>
          <li>
            <a href="/quality">Preconfirmation quality</a>: what was announced, and what became of it
          </li>
          <li>Every list can be downloaded as CSV or NDJSON; the links are below the list.</li>
        </ul>
      </section>
      <section>
        <header class="section-head">
          <h2>Licences</h2>
        </header>
        <p class="note">Firstlight is under the MIT licence. It uses these packages:</p>
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
