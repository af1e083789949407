// The planner's model of the chain. It is read from the chain once and updated by every planned action. When model and chain
// differ (a dropped transaction, another order in a block), the next reading corrects it.

import type { Hex } from '../../../src/chain/bytes/hex.ts'
import type { KeyedAccount } from '../../genesis/accounts.ts'
import type { ContractAddresses } from './addresses.ts'

export type ChainModel = {
  readonly contracts: ContractAddresses
  /** Whether the chain has a sponsor and the token without code. */
  readonly ownRules: boolean
  /** Deploys and owns the contracts. */
  readonly deployer: SimulatedUser
  readonly users: readonly SimulatedUser[]
  /** Users who send batches by EIP-7702; see `Delegator`. */
  readonly delegators: readonly Delegator[]
  readonly pools: readonly Pool[]
  readonly stars: Star[]
  nextStar: number
  /** Tip jars and time capsules created since the model was read. */
  readonly jars: Owned[]
  readonly capsules: Owned[]
  /** Mayfly contracts created since then and not destroyed yet. */
  mayflies: number
  /** Number of actions planned so far. */
  clock: number
  /** After this many further actions, an action is certainly in a block. */
  readonly settledAfter: number
}

export type SimulatedUser = {
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

/** An authorization uses a nonce that transaction pools do not expect, so no transaction may follow it before it is in a block. */
export type Delegator = SimulatedUser & {
  /** According to the model. */
  delegated: boolean
  authorizedAt: number
}

export const tokenNames = ['AuroraDollar', 'DawnToken', 'WrappedEther'] as const
export type Token = (typeof tokenNames)[number]

export type Pool = { readonly tokens: readonly [Token, Token]; readonly reserves: [bigint, bigint] }

export type Owned = { readonly address: Hex; readonly owner: SimulatedUser }

/** `since`: when its owner received it. Transactions of different senders have no fixed order. */
export type Star = { readonly id: number; owner: SimulatedUser; since: number }

export const poolPairs = [
  ['AuroraDollar', 'DawnToken'],
  ['AuroraDollar', 'WrappedEther'],
  ['DawnToken', 'WrappedEther'],
] as const satisfies readonly (readonly [Token, Token])[]

export function isSettled({ clock, settledAfter }: ChainModel, since: number) {
  return clock - since >= settledAfter
}

/** The longest list of things to use later; the oldest are dropped first. */
const MAX_ITEMS = 500

export function pushBounded<T>(list: T[], item: T): void {
  list.push(item)
  if (list.length > MAX_ITEMS) list.shift()
}

/** The requested amount, but at most a fiftieth of the balance, so that no user runs out of funds. */
export function smallShare(balance: bigint, request: bigint): bigint {
  const most = balance / 50n
  if (most < 0n) return 0n
  return request < most ? request : most
}

/** Trades with the model's pool and returns the amount paid out. */
export function trade({ tokens, reserves }: Pool, give: Token, amount: bigint): bigint {
  const [into, outOf] = tokens[0] === give ? [0, 1] : [1, 0]
  const afterFee = amount * 997n
  const paid = (afterFee * reserves[outOf]!) / (reserves[into]! * 1000n + afterFee)
  reserves[into]! += amount
  reserves[outOf]! -= paid
  return paid
}
