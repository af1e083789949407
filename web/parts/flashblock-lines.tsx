// Transactions as a flashblock tells of them.
import { Amount } from './amount.tsx'
import { Method } from './method.tsx'
import { grouped } from './numbers.ts'
import { Address, Transaction } from './references.tsx'
import { Badge } from './stage.tsx'
import type { Column } from './table.tsx'

export type FlashblockLine = {
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly methodId: string
  readonly amount: string
  readonly hasFailed: boolean
  readonly gasUsed: string
  readonly logCount: string
}

export function flashblockLineColumns(symbol: string): Column<FlashblockLine>[] {
  return [
    { name: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} /> },
    { name: 'Method', cell: (line) => <Method of={line} /> },
    { name: 'From', cell: ({ from }) => <Address address={from} /> },
    {
      name: 'To',
      cell: ({ to }) => (to === '' ? <span class="created">creates a contract</span> : <Address address={to} />),
    },
    { name: 'Outcome', cell: ({ hasFailed }) => <Badge stage={hasFailed ? 'failed' : 'preconfirmed'} /> },
    { name: 'Logs', isFigure: true, isExtra: true, cell: ({ logCount }) => logCount || '–' },
    { name: 'Gas', isFigure: true, cell: ({ gasUsed }) => (gasUsed === '' ? '–' : grouped(gasUsed)) },
    { name: 'Amount', isFigure: true, cell: ({ amount }) => <Amount value={amount} symbol={symbol} /> },
  ]
}
