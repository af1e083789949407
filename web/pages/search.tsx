import type { FoundContract, FoundToken } from '../../src/contract/pages.ts'
import { Layout, Search } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Table } from '../parts/page/table.tsx'
import { Address, Token } from '../parts/values/references.tsx'

export type SearchData = {
  readonly query: string
  /** What was looked for and not found, in words. */
  readonly lookedFor: readonly string[]
  readonly tokens: readonly FoundToken[]
  readonly contracts: readonly FoundContract[]
}

/** As many as a search gives of each kind. */
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
          At most {MOST_OF_A_KIND} of a kind are shown, and where hundreds begin alike only the first 500 of them in the
          alphabet are looked at. More of the name finds the rest.
        </p>
      )}
      {tokens.length + contracts.length === 0 && query !== '' && (
        <div class="nothing">
          <p>Nothing found. What was looked for:</p>
          <ul>
            {lookedFor.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <p>
            A transaction hash and a block hash are 0x and 64 hex digits, an address is 0x and 40, a block is a number.
            Tokens and verified contracts are found by the beginning of their names.
          </p>
        </div>
      )}
    </Layout>
  )
}
