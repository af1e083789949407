// The columns of every list of blocks and of transactions.

import type { BlockItem, TransactionItem } from '../../../src/contract/pages.ts'
import type { PageShell } from '../page/page-shell.ts'
import type { Column } from '../page/table.tsx'
import { compact, percent } from '../text/numbers.ts'
import { Amount } from '../values/amount.tsx'
import { Method } from '../values/method.tsx'
import { Address, Block, Sides, Transaction } from '../values/references.tsx'
import { StageBadge } from '../values/stage.tsx'
import { Time } from '../values/time.tsx'

export function GasBar({ used, limit }: { used: string; limit: string }) {
  return (
    <span class="gas" title={`${used} of ${limit}`}>
      <span class="figure">{compact(Number(used))}</span>
      <meter min={0} max={Number(limit)} value={Number(used)} aria-label="Gas used of the gas limit" />
      <span class="unit">{percent(Number(used), Number(limit))}</span>
    </span>
  )
}

export function blockColumns(shell: PageShell): Column<BlockItem>[] {
  return [
    { name: 'Block', cell: ({ height }) => <Block height={height} /> },
    { name: 'Time', cell: ({ blockTime }) => <Time ms={blockTime} shell={shell} /> },
    {
      name: 'Transactions',
      isFigure: true,
      cell: ({ height, txnCount }) => <a href={`/block/${height}?tab=txs`}>{txnCount}</a>,
    },
    { name: 'Gas used', cell: ({ gasUsed, gasLimit }) => <GasBar used={gasUsed} limit={gasLimit} /> },
    { name: 'Fee recipient', isExtra: true, cell: ({ validator }) => <Address address={validator} /> },
    { name: 'Fees', isFigure: true, cell: ({ totalFee, feeSymbol }) => <Amount value={totalFee} symbol={feeSymbol} /> },
  ]
}

export const blockKeys = {
  keyOf: ({ height }: BlockItem): string => height,
  versionOf: ({ hash }: BlockItem): string => hash,
}

/** The API names the same field differently in each list; this type has one name for each. */
export type TransactionLine = {
  hash: string
  methodId: string
  height: string
  timeMs: string
  from: string
  to: string
  isFromContract: boolean
  isToContract: boolean
  created: string
  amount: string
  symbol: string
  fee: string
  state: string
  stage: string
}

export function lineOf(item: TransactionItem): TransactionLine {
  return {
    hash: item.txid,
    methodId: item.methodId,
    height: item.height,
    timeMs: item.transactionTime,
    from: item.input,
    to: item.output,
    isFromContract: item.isInputContract,
    isToContract: item.isOutputContract,
    created: item.contractAddress,
    amount: item.amount,
    symbol: item.transactionSymbol,
    fee: item.txfee,
    state: item.state,
    stage: item.stage,
  }
}

export const transactionKeys = {
  keyOf: ({ hash }: TransactionLine): string => hash,
  /** A preconfirmed row is replaced when a block contains the transaction, or when it was dropped. */
  versionOf: ({ height, state, stage }: TransactionLine): string => (state === 'pending' ? stage : height),
}

/** `self` is the address of the page, on the page of an address. */
export function transactionColumns(shell: PageShell, self?: string): Column<TransactionLine>[] {
  return [
    { name: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} /> },
    { name: 'Method', cell: (line) => <Method of={line} /> },
    { name: 'Status', cell: (line) => <StageBadge of={line} notes={shell.preconfirmationNotes} /> },
    { name: 'Block', isExtra: true, cell: ({ height }) => <Block height={height} /> },
    { name: 'Time', cell: ({ timeMs }) => <Time ms={timeMs} shell={shell} /> },
    { name: 'From and to', cell: (line) => <Sides {...line} {...(self !== undefined && { self })} /> },
    { name: 'Value', isFigure: true, cell: ({ amount, symbol }) => <Amount value={amount} symbol={symbol} /> },
    { name: 'Fee', isFigure: true, isExtra: true, cell: ({ fee, symbol }) => <Amount value={fee} symbol={symbol} /> },
  ]
}
