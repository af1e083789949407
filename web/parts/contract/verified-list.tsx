// The columns of every list of verified contracts.

import type { VerifiedListItem } from '../../../src/contract/pages.ts'
import type { PageShell } from '../page/page-shell.ts'
import type { Column } from '../page/table.tsx'
import { Address } from '../values/references.tsx'
import { Time } from '../values/time.tsx'
import { MatchBadge } from './match.tsx'

export function verifiedColumns(shell: PageShell): Column<VerifiedListItem>[] {
  return [
    {
      name: 'Name',
      cell: ({ address, name }) => (
        <a class="named" href={`/address/${address}?tab=contract`}>
          {name}
        </a>
      ),
    },
    { name: 'Contract', cell: ({ address }) => <Address address={address} isContract isNamedElsewhere /> },
    {
      name: 'Compiler',
      cell: ({ language, compiler }) => (
        <span title={compiler}>
          {language === 'vyper' ? 'Vyper' : 'Solidity'} {compiler.replace(/\+.*/, '')}
        </span>
      ),
    },
    { name: 'Match', cell: ({ rank }) => <MatchBadge match={rank} /> },
    { name: 'Verified', cell: ({ verifiedMs }) => <Time ms={String(verifiedMs)} shell={shell} /> },
  ]
}
