import type { ListPosition, VerifiedListItem } from '../../src/contract/pages.ts'
import { verifiedColumns } from '../parts/contract/verified-list.tsx'
import { Layout } from '../parts/page/layout.tsx'
import { PageHead } from '../parts/page/page-head.tsx'
import type { PageProps } from '../parts/page/page-shell.ts'
import { Paging, Table } from '../parts/page/table.tsx'

export type ContractsData = {
  readonly filter: { readonly name: string; readonly language: string; readonly match: string }
  readonly list: readonly VerifiedListItem[]
  readonly position: ListPosition
}

export function ContractsPage({ shell, data: { filter, list, position } }: PageProps<ContractsData>) {
  return (
    <Layout shell={shell} title="Verified contracts" about="Contracts whose source code was verified.">
      <PageHead
        title="Verified contracts"
        aside={
          <a class="primary" href="/verify">
            Verify a contract
          </a>
        }
      />
      <form class="filters" action="/contracts" method="get" aria-label="Filter">
        <label>
          Name
          <input name="name" type="search" maxLength={100} value={filter.name} spellcheck={false} />
        </label>
        <Choice
          name="language"
          word="Language"
          value={filter.language}
          choices={{ '': 'All', solidity: 'Solidity', vyper: 'Vyper' }}
        />
        <Choice
          name="match"
          word="Match"
          value={filter.match}
          choices={{ '': 'All', exact: 'Exact', partial: 'Partial' }}
        />
        <button type="submit" class="plain">
          Filter
        </button>
      </form>
      <Table
        caption="Verified contracts, newest first"
        columns={verifiedColumns(shell)}
        rows={list}
        keyOf={({ address }) => address}
        empty="No verified contract matches."
      />
      <Paging path={shell.path} position={position} exports={`/export/contracts?${new URLSearchParams(filter)}`} />
    </Layout>
  )
}

function Choice(props: { name: string; word: string; value: string; choices: Readonly<Record<string, string>> }) {
  return (
    <label>
      {props.word}
      <select name={props.name}>
        {Object.entries(props.choices).map(([value, word]) => (
          <option key={value} value={value} selected={value === props.value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}
