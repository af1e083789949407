// What was preconfirmed against what was sealed: each difference a row, and a plain word where there is none.

import type { BlockPreconfirmations } from '../../../src/contract/pages.ts'
import { Icon } from '../page/icons.tsx'
import { Fact, Facts } from '../page/page-head.tsx'
import { grouped } from '../text/numbers.ts'
import { Hash, Transaction } from '../values/references.tsx'

const VERDICTS: Readonly<Record<string, string>> = {
  kept: 'Every promise was kept: place, status, gas and logs of each transaction are as preconfirmed.',
  broken: 'The sealed block is not what was preconfirmed.',
  unannounced: 'The block came without a flashblock: nothing was promised.',
  pending: 'The block is not sealed yet.',
}

export function BlockDiff({ account }: { account: BlockPreconfirmations }) {
  return (
    <>
      <Verdict verdict={account.verdict} />
      <dl class="figures">
        <Count name="As promised" value={account.kept} />
        <Count name="Changed" value={account.changed} />
        <Count name="Dropped" value={account.dropped} />
        <Count name="Not announced" value={account.unannounced} />
      </dl>
      {account.differences.length > 0 && <Differences differences={account.differences} />}
      <Facts>
        <Fact name="Preconfirmed hash" help="Of the last flashblock">
          <Hash hash={account.preconfirmedHash} what="preconfirmed hash" />
        </Fact>
        <Fact name="Sealed hash">
          <Hash hash={account.blockHash} what="sealed hash" />
        </Fact>
        <Fact name="Payload">
          <Hash hash={account.payloadId} what="payload id" />
        </Fact>
      </Facts>
    </>
  )
}

function Verdict({ verdict }: { verdict: string }) {
  const words = VERDICTS[verdict] ?? verdict
  switch (verdict) {
    case 'broken':
      return (
        <p class="failure">
          <Icon name="cross" /> {words}
        </p>
      )
    case 'kept':
      return (
        <p class="verdict">
          <Icon name="check" /> {words}
        </p>
      )
    default:
      return <p class="note">{words}</p>
  }
}

function Count({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value === '' ? '–' : grouped(value)}</dd>
    </div>
  )
}

type Difference = BlockPreconfirmations['differences'][number]

function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <table class="list broken">
      <caption class="hidden">Differences between what was preconfirmed and what was sealed</caption>
      <thead>
        <tr>
          {['Transaction', 'What', 'Promised', 'Sealed'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={`${difference.txId}-${difference.type}`}>
            <td data-name="Transaction">
              <Transaction hash={difference.txId} />
            </td>
            <td data-name="What">{differenceWords[difference.type] ?? difference.type}</td>
            <td data-name="Promised">{differenceValue(difference.type, difference.from)}</td>
            <td data-name="Sealed">{differenceValue(difference.type, difference.to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const differenceWords: Readonly<Record<string, string>> = {
  dropped: 'Dropped',
  moved: 'Moved',
  status: 'Other status',
  gas: 'Other gas',
  logs: 'Other logs',
}

export function differenceValue(type: string, value: string): string {
  if (value === '') return 'not in the block'
  switch (type) {
    case 'status':
      return value === '1' ? 'success' : 'failed'
    case 'gas':
      return `${grouped(value)} gas`
    case 'logs':
      return `${value} logs`
    default:
      return `position ${value}`
  }
}
