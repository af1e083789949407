// Compares what was preconfirmed with the sealed block: one row per difference.

import type { BlockPreconfirmations } from '../../../src/contract/pages.ts'
import { Icon } from '../page/icons.tsx'
import { Fact, Facts } from '../page/page-head.tsx'
import { counted, grouped } from '../text/numbers.ts'
import { Hash, Transaction } from '../values/references.tsx'

const VERDICTS: Readonly<Record<string, string>> = {
  kept: 'Kept: position, status, gas and logs of every transaction are as preconfirmed.',
  broken: 'The sealed block differs from what was preconfirmed.',
  unannounced: 'This block had no flashblocks: nothing was preconfirmed.',
  pending: 'The block is not sealed yet.',
}

export function BlockDiff({ preconfirmations }: { preconfirmations: BlockPreconfirmations }) {
  return (
    <>
      <Verdict verdict={preconfirmations.verdict} />
      <dl class="figures">
        <Count name="Kept" value={preconfirmations.kept} />
        <Count name="Changed" value={preconfirmations.changed} />
        <Count name="Dropped" value={preconfirmations.dropped} />
        <Count name="Not announced" value={preconfirmations.unannounced} />
      </dl>
      {preconfirmations.differences.length > 0 && <Differences differences={preconfirmations.differences} />}
      <Facts>
        <Fact name="Preconfirmed hash" help="The block hash in the last flashblock">
          <Hash hash={preconfirmations.preconfirmedHash} what="preconfirmed hash" />
        </Fact>
        <Fact name="Sealed hash">
          <Hash hash={preconfirmations.blockHash} what="sealed hash" />
        </Fact>
        <Fact name="Payload">
          <Hash hash={preconfirmations.payloadId} what="payload id" />
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
          {['Transaction', 'Difference', 'Preconfirmed', 'Sealed'].map((name) => (
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
            <td data-name="Difference">{differenceWords[difference.type] ?? difference.type}</td>
            <td data-name="Preconfirmed">{differenceValue(difference.type, difference.from)}</td>
            <td data-name="Sealed">{differenceValue(difference.type, difference.to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const differenceWords: Readonly<Record<string, string>> = {
  dropped: 'Dropped',
  moved: 'Position',
  status: 'Status',
  gas: 'Gas used',
  logs: 'Logs',
}

export function differenceValue(type: string, value: string): string {
  if (value === '') return 'not in the block'
  switch (type) {
    case 'status':
      return value === '1' ? 'success' : 'failed'
    case 'gas':
      return `${grouped(value)} gas`
    case 'logs':
      return counted(value, 'log')
    default:
      return `position ${value}`
  }
}
