import type { FoundContract, FoundToken } from '../../src/contract/pages.ts'
import { Layout, Search } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { Address, Token } from '../parts/values/references.tsx'

export type SearchData = {
  readonly query: string
  /** Descriptions of what was searched for without a result. */
  readonly lookedFor: readonly string[]
  readonly tokens: readonly FoundToken[]
  readonly contracts: readonly FoundContract[]
}

/** A search returns at most this many tokens and this many contracts. */
const MOST_OF_A_KIND = 25

export function SearchPage({ shell, data: { query, lookedFor, tokens, contracts } }: PageProps<SearchData>) {
  return (
    <Layout shell={shell} title="Search">
      <PageHead title={query === '' ? 'Search' : <>Search for “{query}”</>} />
      <Search value={query} isLarge />
      {tokens.length > 0 && (
        <Table
          caption="Tokens found"
          columns={[
            { name: 'Token', cell: ({ address, symbol }) => <Token address={address} symbol={symbol} /> },
            { name: 'Name', cell: ({ name }) => <span class="named">{name}</span> },
            { name: 'Standard', cell: ({ standard }) => <span class="tag">{standard}</span> },
            { name: 'Contract', cell: ({ address }) => <Address address={address} isContract /> },
          ]}
          rows={tokens}
          keyOf={({ address }) => address}
          empty=""
        />
      )}
      {contracts.length > 0 && (
        <Table
          caption="Verified contracts found"
          columns={[
            { name: 'Contract', cell: ({ name }) => <span class="named">{name}</span> },
            { name: 'Address', cell: ({ address }) => <Address address={address} isContract full /> },
          ]}
          rows={contracts}
          keyOf={({ address }) => address}
          empty=""
        />
      )}
      {Math.max(tokens.length, contracts.length) >= MOST_OF_A_KIND && (
        <p class="note">
          At most {MOST_OF_A_KIND} tokens and {MOST_OF_A_KIND} contracts are shown, out of the first 500 in alphabetical
          order. Type more of the name to find others.
        </p>
      )}
      {tokens.length + contracts.length === 0 && query !== '' && (
        <div class="nothing">
          <p>No results. This was searched for:</p>
          <ul>
            {lookedFor.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <p>
            A transaction hash or block hash is 0x and 64 hex digits, an address is 0x and 40 hex digits, and a block is
            a number. Tokens and verified contracts are found by the beginning of their names.
          </p>
        </div>
      )}
    </Layout>
  )
}
