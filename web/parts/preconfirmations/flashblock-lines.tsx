// The columns of every list of transactions of a flashblock.

import type { FlashblockTransaction } from '../../../src/contract/pages.ts'
import type { Column } from '../page/table.tsx'
import { grouped } from '../text/numbers.ts'
import { Amount } from '../values/amount.tsx'
import { Method } from '../values/method.tsx'
import { Address, Transaction } from '../values/references.tsx'
import { Badge } from '../values/stage.tsx'

export function flashblockLineColumns(symbol: string): Column<FlashblockTransaction>[] {
  return [
    { name: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} /> },
    { name: 'Method', cell: (line) => <Method of={line} /> },
    { name: 'From', cell: ({ from }) => <Address address={from} /> },
    {
      name: 'To',
      cell: ({ to }) => (to === '' ? <span class="created">contract creation</span> : <Address address={to} />),
    },
    { name: 'Status', cell: ({ hasFailed }) => <Badge stage={hasFailed ? 'failed' : 'preconfirmed'} /> },
    { name: 'Logs', isFigure: true, isExtra: true, cell: ({ logCount }) => logCount || '–' },
    { name: 'Gas used', isFigure: true, cell: ({ gasUsed }) => (gasUsed === '' ? '–' : grouped(gasUsed)) },
    { name: 'Value', isFigure: true, cell: ({ amount }) => <Amount value={amount} symbol={symbol} /> },
  ]
}
