// State changes as values that can be combined, reversed and encoded. They contain new values, not differences, so applying them twice
// does no harm.
import { bigintToBytes, bytesToBigint } from '../../src/chain/bytes/hex.ts'
import { decodeRlpList, encodeRlp, type RlpInput, type RlpItem } from '../../src/chain/bytes/rlp.ts'
import { bytesField, listField, uint256Field } from '../../src/chain/bytes/rlp-fields.ts'
import { type Code, codeHashOf, toCode } from '../../src/evm/state/code.ts'
import type { MemoryState } from '../../src/evm/state/memory-state.ts'
import type { Account, StateChanges } from '../../src/evm/state/state-source.ts'

export type MutableChanges = {
  readonly accounts: Map<bigint, Account | null>
  readonly wiped: Set<bigint>
  readonly slots: Map<bigint, Map<bigint, bigint>>
  readonly codes: Map<bigint, Code>
}

export function noChanges(): MutableChanges {
  return {
    accounts: new Map(),
    wiped: new Set(),
    slots: new Map(),
    codes: new Map(),
  }
}

/** Adds `later` to `sum`. */
export function addChanges(sum: MutableChanges, later: StateChanges): void {
  for (const [address, account] of later.accounts) sum.accounts.set(address, account)
  for (const address of later.wiped) {
    sum.wiped.add(address)
    sum.slots.delete(address)
  }
  for (const [address, slots] of later.slots) {
    const known = sum.slots.get(address) ?? new Map<bigint, bigint>()
    for (const [slot, value] of slots) known.set(slot, value)
    sum.slots.set(address, known)
  }
  for (const [hash, code] of later.codes) sum.codes.set(hash, code)
}

/** The changes that lead back to `state` after `changes` were applied to it. */
export function reverseOf(changes: StateChanges, state: MemoryState): StateChanges {
  const reverse = noChanges()
  for (const address of changes.accounts.keys()) reverse.accounts.set(address, state.account(address))
  for (const [address, slots] of changes.slots) {
    reverse.slots.set(address, new Map([...slots.keys()].map((slot) => [slot, state.storage(address, slot)])))
  }
  for (const address of changes.wiped) {
    reverse.wiped.add(address)
    reverse.slots.set(address, new Map(state.slots.get(address)))
  }
  return reverse
}

export function encodeChanges({ accounts, wiped, slots, codes }: StateChanges): Uint8Array {
  return encodeRlp([
    Array.from(accounts, ([address, account]) => accountToRlp(address, account)),
    [...wiped],
    Array.from(slots, ([address, values]): RlpInput => [address, ...[...values].flat()]),
    Array.from(codes.values(), ({ bytes }) => bytes),
  ])
}

export function decodeChanges(bytes: Uint8Array): StateChanges {
  const [accounts, wiped, slots, codes] = decodeRlpList(bytes)
  return {
    accounts: new Map(listField(accounts, 'accounts').map(accountField)),
    wiped: new Set(words(listField(wiped, 'wiped'))),
    slots: new Map(listField(slots, 'slots').map(slotsField)),
    codes: new Map(
      listField(codes, 'codes').map((item) => {
        // A copy, so that the code does not keep the whole record in memory.
        const code = bytesField(item, 'code').slice()
        return [codeHashOf(code), toCode(code)]
      }),
    ),
  }
}

function accountToRlp(address: bigint, account: Account | null): RlpInput {
  return account === null ? [address] : [address, account.nonce, account.balance, bigintToBytes(account.codeHash, 32)]
}

function accountField(item: RlpItem): [bigint, Account | null] {
  const fields = listField(item, 'account')
  const address = uint256Field(fields[0], 'address')
  if (fields.length === 1) return [address, null]
  const [nonce, balance] = words(fields.slice(1, 3))
  const codeHash = bytesToBigint(bytesField(fields[3], 'codeHash'))
  return [address, { nonce: nonce!, balance: balance!, codeHash }]
}

function slotsField(item: RlpItem): [bigint, Map<bigint, bigint>] {
  const [address, ...flat] = words(listField(item, 'slots'))
  const values = new Map<bigint, bigint>()
  for (let i = 0; i < flat.length; i += 2) values.set(flat[i]!, flat[i + 1]!)
  return [address!, values]
}

function words(items: readonly RlpItem[]): bigint[] {
  return items.map((item) => uint256Field(item, 'word'))
}
