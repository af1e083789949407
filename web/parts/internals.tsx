// Internal transactions, wherever they are listed.

import { Amount } from './amount.tsx'
import type { PageShell } from './page-shell.ts'
import { Block, Sides, Transaction } from './references.tsx'
import { Badge } from './stage.tsx'
import type { Column } from './table.tsx'
import { Time } from './time.tsx'

export type InternalLine = {
  key: string
  hash: string
  height: string
  timeMs: string
  operation: string
  from: string
  to: string
  isFromContract: boolean
  isToContract: boolean
  amount: string
  symbol: string
  state: string
}

export function internalColumns(shell: PageShell, self?: string): Column<InternalLine>[] {
  return [
    { name: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} /> },
    {
      name: 'Call',
      cell: ({ operation, state }) => (
        <span>
          <span class="method">{operation}</span> {state === 'fail' && <Badge stage="failed" />}
        </span>
      ),
    },
    { name: 'Block', isExtra: true, cell: ({ height }) => <Block height={height} /> },
    { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
    { name: 'From and to', cell: (line) => <Sides {...line} {...(self !== undefined && { self })} /> },
    { name: 'Amount', isFigure: true, cell: ({ amount, symbol }) => <Amount value={amount} symbol={symbol} /> },
  ]
}
