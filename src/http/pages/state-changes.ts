// The state changes of a transaction, from prestateTracer of the node in diff mode.
import type { AccountChange, StateChanges } from '../../../web/parts/chain/state-changes.tsx'
import { nativeUnits } from '../../explorer/records/parts.ts'
import type { PendingNode } from './pending-node.ts'

type TracedAccount = {
  readonly balance?: string
  readonly nonce?: number
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
}
export type PrestateDiff = Readonly<Record<'pre' | 'post', Readonly<Record<string, TracedAccount>>>>

/** Limits of a page. */
const MOST_ACCOUNTS = 100
const MOST_SLOTS = 200
const ZERO_WORD = `0x${'0'.repeat(64)}`
const DIFF_MODE = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

export async function stateChanges(node: PendingNode | undefined, hash: string): Promise<StateChanges> {
  if (!node) return { type: 'unavailable', reason: 'This server follows no node.' }
  const [traced] = await node.ask([['debug_traceTransaction', hash, DIFF_MODE]])
  if (traced?.type !== 'result') return { type: 'unavailable', reason: traced?.reason ?? '' }
  const diff = traced.result as Partial<PrestateDiff> | null
  if (!diff?.pre || !diff.post) {
    return { type: 'unavailable', reason: 'The node does not support the diff mode of prestateTracer.' }
  }
  return changesFrom({ pre: diff.pre, post: diff.post })
}

export function changesFrom({ pre, post }: PrestateDiff): StateChanges {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])]
  const changed = addresses
    .map((address) => accountChange(address.toLowerCase(), pre[address], post[address]))
    .filter(({ balance, nonce, code, storage }) => balance || nonce || code || storage.length > 0)
  const accounts = changed.slice(0, MOST_ACCOUNTS).map((each) => ({
    ...each,
    storage: each.storage.slice(0, MOST_SLOTS),
  }))
  const isTruncated = changed.length > MOST_ACCOUNTS || changed.some(({ storage }) => storage.length > MOST_SLOTS)
  return { type: 'changes', accounts, isTruncated }
}

/** A field that `post` leaves out did not change, unless the whole account is gone. */
function accountChange(address: string, before: TracedAccount = {}, after: TracedAccount | undefined): AccountChange {
  const isGone = after === undefined
  const left = after ?? { balance: '0x0', nonce: 0, code: '0x' }
  return {
    address,
    isGone,
    balance: balanceChange(before.balance ?? '0x0', left.balance),
    nonce: left.nonce === undefined ? undefined : differing(String(before.nonce ?? 0), String(left.nonce)),
    code: left.code === undefined ? undefined : differing(bytesIn(before.code), bytesIn(left.code)),
    storage: slotChanges(before.storage, after?.storage),
  }
}

function balanceChange(before: string, after: string | undefined): AccountChange['balance'] {
  if (after === undefined || BigInt(after) === BigInt(before)) return undefined
  const difference = BigInt(after) - BigInt(before)
  return {
    before: nativeUnits(BigInt(before)),
    after: nativeUnits(BigInt(after)),
    isMore: difference > 0n,
    difference: nativeUnits(difference < 0n ? -difference : difference),
  }
}

function differing(before: string, after: string) {
  return before === after ? undefined : { before, after }
}

function bytesIn(code = '0x'): string {
  return String((code.length - 2) / 2)
}

/** The tracer leaves out zero: a slot on one side only was, or is now, zero. */
function slotChanges(before: TracedAccount['storage'] = {}, after: TracedAccount['storage'] = {}) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((slot) => ({ slot, before: before[slot] ?? ZERO_WORD, after: after[slot] ?? ZERO_WORD }))
    .filter((change) => change.before !== change.after)
    .toSorted((a, b) => (a.slot < b.slot ? -1 : 1))
}
