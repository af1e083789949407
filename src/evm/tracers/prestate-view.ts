// The two formats of geth's prestateTracer: every account that was seen, or what changed with its values before and after.
import { addressToHex, bytesToHex, equalBytes, type Hex, toQuantity, wordToHex } from '../../chain/bytes/hex.ts'
import { EMPTY_CODE_HASH } from '../state/code.ts'
import type { WorldState } from '../state/world-state.ts'

/** An account when the transaction named it first. */
export type SeenAccount = {
  readonly balance: bigint
  readonly nonce: bigint
  readonly codeHash: bigint
  /** Undefined if no code is to be shown. */
  readonly code: Uint8Array | undefined
  readonly isEmpty: boolean
  readonly slots: Map<bigint, bigint>
}

export type Prestate = Record<Hex, PrestateAccount>
export type PrestateAccount = { balance?: Hex; nonce?: number; code?: Hex; codeHash?: Hex; storage?: Record<Hex, Hex> }
export type PrestateDiff = { readonly pre: Prestate; readonly post: Prestate }

export function prestateOf(
  seen: ReadonlyMap<bigint, SeenAccount>,
  { includeEmpty }: { readonly includeEmpty: boolean },
): Prestate {
  const shown = [...seen].filter(([, { isEmpty }]) => includeEmpty || !isEmpty)
  return Object.fromEntries(shown.map(([address, account]) => [addressToHex(address), view(account, account.slots)]))
}

/** A deleted account is in `pre` only, one that was empty before in `post` only, and one that did not change in neither. */
export function prestateDiff(
  seen: ReadonlyMap<bigint, SeenAccount>,
  world: WorldState,
  deleted: ReadonlySet<bigint>,
): PrestateDiff {
  const pre: Prestate = {}
  const post: Prestate = {}
  for (const [address, before] of seen) {
    const hex = addressToHex(address)
    const after = deleted.has(address) ? undefined : changesOf(world, address, before)
    const isChanged = after === undefined || after.isChanged
    if (!isChanged) continue
    const slots = after === undefined ? before.slots : after.changedSlots
    if (!before.isEmpty) pre[hex] = view(before, slots)
    if (after !== undefined) post[hex] = after.account
  }
  return { pre, post }
}

function view({ balance, nonce, code, codeHash }: SeenAccount, slots: ReadonlyMap<bigint, bigint>): PrestateAccount {
  return {
    balance: toQuantity(balance),
    ...(nonce === 0n ? {} : { nonce: Number(nonce) }),
    ...(code === undefined || code.length === 0 ? {} : { code: bytesToHex(code) }),
    ...(codeHash === EMPTY_CODE_HASH ? {} : { codeHash: wordToHex(codeHash) }),
    ...storageOf(slots),
  }
}

type Changes = {
  readonly account: PrestateAccount
  /** The values before, of slots that changed and were not zero. */
  readonly changedSlots: ReadonlyMap<bigint, bigint>
  readonly isChanged: boolean
}

/** Only what differs from before. A slot that became zero is omitted, as in geth. */
function changesOf(world: WorldState, address: bigint, before: SeenAccount): Changes {
  const record = world.record(address)
  const account: PrestateAccount = {}
  if (record.balance !== before.balance) account.balance = toQuantity(record.balance)
  if (record.nonce !== before.nonce && record.nonce !== 0n) account.nonce = Number(record.nonce)
  if (record.codeHash !== before.codeHash) {
    account.codeHash = wordToHex(record.codeHash === EMPTY_CODE_HASH ? 0n : record.codeHash)
  }
  const code = world.codeOf(record).bytes
  if (before.code !== undefined && code.length > 0 && !equalBytes(code, before.code)) account.code = bytesToHex(code)
  const changed = [...before.slots].filter(([key, value]) => world.slot(record, key).value !== value)
  const written = changed.map(([key]) => [key, world.slot(record, key).value] as const)
  Object.assign(account, storageOf(new Map(written.filter(([, value]) => value !== 0n))))
  return {
    account,
    changedSlots: new Map(changed.filter(([, value]) => value !== 0n)),
    isChanged: changed.length > 0 || record.nonce !== before.nonce || Object.keys(account).length > 0,
  }
}

function storageOf(slots: ReadonlyMap<bigint, bigint>): { storage?: Record<Hex, Hex> } {
  if (slots.size === 0) return {}
  return { storage: Object.fromEntries([...slots].map(([key, value]) => [wordToHex(key), wordToHex(value)])) }
}
