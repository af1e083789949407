// What the planner believes about the chain. It is read from the chain once and then kept up to date by what is planned;
// where the two part (a dropped transaction, another order in a block) the next reading sets it right.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { KeyedAccount } from '../genesis/accounts.ts'
import type { Places } from './addresses.ts'

export type World = {
  readonly places: Places
  /** Deploys everything and keeps it. */
  readonly founder: Resident
  readonly people: readonly Resident[]
  /** They batch by EIP-7702 and do little else: see `Delegator`. */
  readonly delegators: readonly Delegator[]
  readonly pools: readonly Pool[]
  readonly stars: Star[]
  nextStar: number
  /** Tip jars and time capsules that were made since the world was read. */
  readonly jars: Owned[]
  readonly capsules: Owned[]
  /** Mayflies that wait for their release, hatched since then. */
  mayflies: number
  /** Actions planned so far: the planner's clock. */
  clock: number
  /** So many actions later, what was planned is surely in a block. */
  readonly settledAfter: number
}

export type Resident = {
  readonly account: KeyedAccount
  nonce: number
  balanceWei: bigint
  /** Balances of the fungible tokens, in their smallest unit. */
  readonly tokens: Record<Token, bigint>
  /** Balances of lanterns by kind. */
  readonly lanterns: Map<number, number>
  readonly approvals: Set<string>
  savingsWei: bigint
}

/** An authorization takes a nonce that pools do not see coming, so nothing may follow it before it is in a block. */
export type Delegator = Resident & {
  /** As far as we know. */
  delegated: boolean
  authorizedAt: number
}

export const tokenNames = ['AuroraDollar', 'DawnToken', 'WrappedEther'] as const
export type Token = (typeof tokenNames)[number]

export type Pool = { readonly tokens: readonly [Token, Token]; readonly reserves: [bigint, bigint] }

export type Owned = { readonly address: Hex; readonly owner: Resident }

/** `since` is when somebody else gave it: transactions of two senders keep no order. */
export type Star = { readonly id: number; owner: Resident; since: number }

export const poolPairs = [
  ['AuroraDollar', 'DawnToken'],
  ['AuroraDollar', 'WrappedEther'],
  ['DawnToken', 'WrappedEther'],
] as const satisfies readonly (readonly [Token, Token])[]

export function isSettled({ clock, settledAfter }: World, since: number) {
  return clock - since >= settledAfter
}

/** So many things are kept in mind for later; the oldest are forgotten first. */
const REMEMBERED = 500

export function remember<T>(list: T[], item: T): void {
  list.push(item)
  if (list.length > REMEMBERED) list.shift()
}

/** What is wished for, but never more than a fiftieth of what there is: nobody runs dry. */
export function modestPart(balance: bigint, wish: bigint): bigint {
  const most = balance / 50n
  if (most < 0n) return 0n
  return wish < most ? wish : most
}

/** Trades with a pool as it is believed to be, and gives what comes out. */
export function trade({ tokens, reserves }: Pool, give: Token, amount: bigint): bigint {
  const [into, outOf] = tokens[0] === give ? [0, 1] : [1, 0]
  const afterFee = amount * 997n
  const paid = (afterFee * reserves[outOf]!) / (reserves[into]! * 1000n + afterFee)
  reserves[into]! += amount
  reserves[outOf]! -= paid
  return paid
}
