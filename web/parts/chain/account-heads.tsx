// The same account at each head of the chain, side by side, with what differs from the latest block marked.
import type { ComponentChildren } from 'preact'
import { Table } from '../page/table.tsx'
import { Amount } from '../values/amount.tsx'

export type HeadState = {
  readonly tag: 'pending' | 'latest' | 'safe' | 'finalized'
  /** Empty where the node does not tell. */
  readonly balance: string
  readonly nonce: string
}

const WORDS = { pending: 'Preconfirmed', latest: 'Latest', safe: 'Safe', finalized: 'Final' } as const

export function AccountHeads({ heads, symbol }: { heads: readonly HeadState[]; symbol: string }) {
  const latest = heads.find(({ tag }) => tag === 'latest')
  const differs = (name: 'balance' | 'nonce', head: HeadState): boolean =>
    head[name] !== '' && latest !== undefined && head[name] !== latest[name]
  const isSame = !heads.some((head) => differs('balance', head) || differs('nonce', head))
  return (
    <details class="heads" open={!isSame}>
      <summary>
        Preconfirmed, latest, safe and final{' '}
        <span class="unit">{isSame ? 'the same at every head' : 'not the same at every head'}</span>
      </summary>
      <Table
        caption="Balance and nonce at each head of the chain"
        columns={[
          { name: 'Head', cell: ({ tag }) => WORDS[tag] },
          {
            name: 'Balance',
            isFigure: true,
            cell: (head) => (
              <Marked isDifferent={differs('balance', head)}>
                <Amount value={head.balance} symbol={symbol} full />
              </Marked>
            ),
          },
          {
            name: 'Nonce',
            isFigure: true,
            cell: (head) => <Marked isDifferent={differs('nonce', head)}>{head.nonce || '–'}</Marked>,
          },
        ]}
        rows={heads}
        keyOf={({ tag }) => tag}
        empty=""
      />
    </details>
  )
}

function Marked({ isDifferent, children }: { isDifferent: boolean; children: ComponentChildren }) {
  return isDifferent ? <mark title="Not as at the latest block">{children}</mark> : <span>{children}</span>
}
