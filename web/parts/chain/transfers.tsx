// The columns of every list of token transfers.

import type { PageShell } from '../page/page-shell.ts'
import type { Column } from '../page/table.tsx'
import { Amount } from '../values/amount.tsx'
import { Sides, Token, Transaction } from '../values/references.tsx'
import { Time } from '../values/time.tsx'

export type TransferLine = {
  key: string
  hash: string
  timeMs: string
  from: string
  to: string
  isFromContract: boolean
  isToContract: boolean
  amount: string
  token: string
  symbol: string
  tokenId: string
  name?: string
}

export function TransferAmount({ line }: { line: TransferLine }) {
  const token = <Token address={line.token} symbol={line.symbol} {...(line.name && { name: line.name })} />
  return (
    <span class="moved">
      {line.amount === '0' && (
        <span
          class="tag nothing-moved"
          title="Anyone can create a transfer of zero tokens between any two addresses. Never copy an address from one."
        >
          zero value
        </span>
      )}
      {(line.tokenId === '' || line.amount !== '1') && <Amount value={line.amount} symbol="" />} {token}
      {line.tokenId !== '' && (
        <span class="item" title={`Token id ${line.tokenId}`}>
          #{line.tokenId.length > 12 ? `${line.tokenId.slice(0, 6)}…${line.tokenId.slice(-4)}` : line.tokenId}
        </span>
      )}
    </span>
  )
}

export function transferColumns(shell: PageShell, self?: string): Column<TransferLine>[] {
  return [
    { name: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} /> },
    { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
    { name: 'From and to', cell: (line) => <Sides {...line} {...(self !== undefined && { self })} /> },
    { name: 'Amount', isFigure: true, cell: (line) => <TransferAmount line={line} /> },
  ]
}
