// What a transaction changed, from the devnet's stateChangesTracer: `pre` has the fields as they were, `post` those that are new.
import { wordToHex } from '../../../src/chain/bytes/hex.ts'
import type { AccountAfter, AccountChanges } from './revm-judge.ts'

type Hex = `0x${string}`
type TracedAccount = { balance?: Hex; nonce?: number; codeHash?: Hex; storage?: Record<Hex, Hex> }
export type StateDiff = { readonly pre: Record<Hex, TracedAccount>; readonly post: Record<Hex, TracedAccount> }

export function accountChanges({ pre, post }: StateDiff): AccountChanges {
  const changes: Record<Hex, AccountAfter | null> = {}
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)] as Hex[])) {
    const [before, after] = [pre[address], post[address]]
    if (after === undefined) changes[address] = null
    else if (Object.keys(after).length > 0 || hasCleared(before)) changes[address] = accountAfter(before ?? {}, after)
  }
  return changes
}

/** A slot that became zero is in `pre` only. */
function hasCleared(before: TracedAccount | undefined): boolean {
  return Object.values(before?.storage ?? {}).some((value) => BigInt(value) !== 0n)
}

function accountAfter(before: TracedAccount, after: TracedAccount): AccountAfter {
  const slots = Object.keys({ ...before.storage, ...after.storage }) as Hex[]
  const valueIn = (account: TracedAccount, slot: Hex) => account.storage?.[slot] ?? NOTHING
  return {
    balance: after.balance ?? before.balance ?? '0x0',
    nonce: after.nonce ?? before.nonce ?? 0,
    codeHash: after.codeHash ?? before.codeHash ?? NO_CODE,
    storage: Object.fromEntries(
      slots
        .filter((slot) => valueIn(before, slot) !== valueIn(after, slot))
        .map((slot) => [slot, valueIn(after, slot)])
        .toSorted(),
    ),
  }
}

const NOTHING = wordToHex(0n)
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
