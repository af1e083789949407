// The state changes of a transaction: balances, nonces, code and storage, account by account.

import { Nothing } from '../page/page-head.tsx'
import { counted, grouped } from '../text/numbers.ts'
import { Amount } from '../values/amount.tsx'
import { Address } from '../values/references.tsx'

type Change = { readonly before: string; readonly after: string }

export type AccountChange = {
  readonly address: string
  /** The transaction destroyed the account. */
  readonly isGone: boolean
  readonly balance: (Change & { readonly isMore: boolean; readonly difference: string }) | undefined
  readonly nonce: Change | undefined
  /** In bytes. */
  readonly code: Change | undefined
  readonly storage: readonly (Change & { readonly slot: string })[]
}

export type StateChanges =
  | { readonly type: 'changes'; readonly accounts: readonly AccountChange[]; readonly isTruncated: boolean }
  | { readonly type: 'unavailable'; readonly reason: string }

export function StateChangeList({ changes, symbol }: { changes: StateChanges; symbol: string }) {
  if (changes.type === 'unavailable') {
    return <Nothing>The node returned no state changes of this transaction. {changes.reason}</Nothing>
  }
  if (changes.accounts.length === 0) return <Nothing>This transaction changed no state.</Nothing>
  return (
    <>
      <ol class="changes">
        {changes.accounts.map((account) => (
          <li key={account.address}>
            <div class="change-head">
              <Address address={account.address} full />
              {account.isGone && <span class="tag">destroyed</span>}
            </div>
            <AccountLines account={account} symbol={symbol} />
          </li>
        ))}
      </ol>
      {changes.isTruncated && <p class="note">This page does not show all changes.</p>}
    </>
  )
}

function AccountLines({ account, symbol }: { account: AccountChange; symbol: string }) {
  const { balance, nonce, code, storage } = account
  return (
    <>
      <dl class="change-lines">
        {balance && (
          <div>
            <dt>Balance</dt>
            <dd>
              <Amount value={balance.before} symbol={symbol} full /> <To />{' '}
              <Amount value={balance.after} symbol={symbol} full />{' '}
              <span class={balance.isMore ? 'more' : 'less'}>
                {balance.isMore ? '+' : '−'}
                {grouped(balance.difference)}
              </span>
            </dd>
          </div>
        )}
        {nonce && <Line name="Nonce" change={nonce} />}
        {code && <Line name="Code" change={code} unit="bytes" />}
      </dl>
      {storage.length > 0 && (
        <details open={storage.length <= MOST_OPEN_SLOTS}>
          <summary>{counted(storage.length, 'storage slot')}</summary>
          <dl class="slots">
            {storage.map(({ slot, before, after }) => (
              <div key={slot}>
                <dt class="hex">{trimmed(slot)}</dt>
                <dd class="hex">
                  {trimmed(before)} <To /> {trimmed(after)}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

const MOST_OPEN_SLOTS = 8

function Line({ name, change, unit }: { name: string; change: Change; unit?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{grouped(change.before)}</span> <To /> <span class="figure">{grouped(change.after)}</span>{' '}
        {unit && <span class="unit">{unit}</span>}
      </dd>
    </div>
  )
}

function To() {
  return (
    <span class="soft">
      <span aria-hidden="true">→</span>
      <span class="hidden">to</span>
    </span>
  )
}

/** Removes leading zeros. */
function trimmed(word: string): string {
  return `0x${word.slice(2).replace(/^0+(?=.)/, '')}`
}
