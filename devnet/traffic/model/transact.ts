// Builds a transaction from a request: picks the sender's next nonce, a type and a tip, and updates the sender's balance.

import type { Hex } from '../../../src/chain/bytes/hex.ts'
import type { KeyedAccount } from '../../genesis/accounts.ts'
import { type ContractAddresses, callTo } from './addresses.ts'
import type { ChainModel, SimulatedUser, Token } from './chain-model.ts'
import type { Random } from './random.ts'

export type Simulation = { readonly random: Random; readonly model: ChainModel }

export type TransactionRequest = {
  readonly label: string
  readonly to: Hex | null
  readonly gas: number
  readonly data?: Hex
  readonly value?: bigint
  readonly delegateTo?: Hex
  readonly outcome?: Transaction['outcome']
}

export function transact(
  { random, model }: Simulation,
  sender: SimulatedUser,
  request: TransactionRequest,
): Transaction {
  const { value = 0n, data = '0x', delegateTo = null, outcome = 'success' } = request
  const kind = delegateTo === null ? pickKind(random, { to: request.to, hasSponsor: model.ownRules }) : 4
  const nonce = sender.nonce
  // An authorization uses the nonce after the transaction's.
  sender.nonce += delegateTo === null ? 1 : 2
  if (outcome === 'success') sender.balanceWei -= value
  sender.balanceWei -= BigInt(request.gas) * USUAL_GAS_PRICE_WEI
  return {
    type: 'transaction',
    label: request.label,
    from: sender.account,
    nonce,
    kind,
    to: request.to,
    value,
    data,
    gas: request.gas + (kind === 1 ? ACCESS_LIST_ENTRY_GAS : 0),
    tipWei: BigInt(random.amount(1_000_000, 2_000_000_000)),
    delegateTo,
    outcome,
  }
}

/** A deadline that never passes. */
export const NEVER = 2n ** 256n - 1n

/** EIP-2930. */
const ACCESS_LIST_ENTRY_GAS = 2_400
/** Used for the model's balances only. */
const USUAL_GAS_PRICE_WEI = 2_000_000_000n

function pickKind(random: Random, { to, hasSponsor }: { to: Hex | null; hasSponsor: boolean }): 0 | 1 | 2 | 0x7d {
  const roll = random.below(100)
  if (roll < 12) return 0
  if (roll < 18 && to !== null) return 1
  return roll >= SPONSORED_FROM && hasSponsor ? 0x7d : 2
}

/** Of a hundred transactions, those from this one on have a sponsor where there is one. */
const SPONSORED_FROM = 75

export type Action = Transaction | Deposit

export type Transaction = {
  readonly type: 'transaction'
  /** Short description: `swap`, `mint star`. */
  readonly label: string
  readonly from: KeyedAccount
  readonly nonce: number
  /** EIP-2718 type. */
  readonly kind: 0 | 1 | 2 | 4 | 0x7d
  /** Null creates a contract. */
  readonly to: Hex | null
  readonly value: bigint
  readonly data: Hex
  readonly gas: number
  readonly tipWei: bigint
  /** Type 4: the sender's account delegates to this code; the zero address ends the delegation. */
  readonly delegateTo: Hex | null
  /** Some transactions revert on purpose. */
  readonly outcome: 'success' | 'revert'
}

export type Deposit = {
  readonly type: 'deposit'
  readonly label: string
  readonly from: Hex
  readonly to: Hex
  readonly mint: bigint
  readonly value: bigint
  readonly data: Hex
  readonly gas: number
}

export const UNLIMITED = 2n ** 256n - 1n

type Approval = { readonly owner: SimulatedUser; readonly token: Token; readonly spender: keyof ContractAddresses }

/** An action that needs an approval. If the owner has not approved the spender yet, the approval is the action. */
export function withApproval(
  simulation: Simulation,
  { owner, token, spender }: Approval,
  action: () => Action,
): Action {
  const approval = `${token} ${spender}`
  if (owner.approvals.has(approval)) return action()
  owner.approvals.add(approval)
  const call = callTo(simulation.model, token, 'approve', [simulation.model.contracts[spender], UNLIMITED])
  return transact(simulation, owner, { label: 'approve', ...call, gas: 60_000 })
}
