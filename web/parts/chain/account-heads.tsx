// Balance and nonce of one account at each head of the chain, side by side. Values that differ from the latest block are marked.
import type { ComponentChildren } from 'preact'
import { Table } from '../page/table.tsx'
import { Amount } from '../values/amount.tsx'

export type HeadState = {
  readonly tag: 'pending' | 'latest' | 'safe' | 'finalized'
  /** Empty where the node gave no answer. */
  readonly balance: string
  readonly nonce: string
}

const WORDS = { pending: 'Preconfirmed', latest: 'Latest', safe: 'Safe', finalized: 'Finalized' } as const

export function AccountHeads({ heads, symbol }: { heads: readonly HeadState[]; symbol: string }) {
  const latest = heads.find(({ tag }) => tag === 'latest')
  const differs = (name: 'balance' | 'nonce', head: HeadState): boolean =>
    head[name] !== '' && latest !== undefined && head[name] !== latest[name]
  const isSame = !heads.some((head) => differs('balance', head) || differs('nonce', head))
  return (
    <details class="heads" open={!isSame}>
      <summary>
        Balance and nonce at each head{' '}
        <span class="unit">{isSame ? 'the same at every head' : 'different between heads'}</span>
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
  return isDifferent ? <mark title="Differs from the latest block">{children}</mark> : <span>{children}</span>
}
