// The columns of every list of internal transactions.

import type { PageShell } from '../page/page-shell.ts'
import type { Column } from '../page/table.tsx'
import { Amount } from '../values/amount.tsx'
import { Block, Sides, Transaction } from '../values/references.tsx'
import { Badge } from '../values/stage.tsx'
import { Time } from '../values/time.tsx'

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
      name: 'Type',
      cell: ({ operation, state }) => (
        <span>
          <span class="method">{operation}</span> {state === 'fail' && <Badge stage="failed" />}
        </span>
      ),
    },
    { name: 'Block', isExtra: true, cell: ({ height }) => <Block height={height} /> },
    { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
    { name: 'From and to', cell: (line) => <Sides {...line} {...(self !== undefined && { self })} /> },
    { name: 'Value', isFigure: true, cell: ({ amount, symbol }) => <Amount value={amount} symbol={symbol} /> },
  ]
}
