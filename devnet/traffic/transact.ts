// A wish becomes a transaction: the next nonce of its sender, a type, a tip, and what it takes from the sender's balance.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { Transaction } from './action.ts'
import type { Resident, World } from './chain-model.ts'
import type { Dice } from './random.ts'

export type Scene = { readonly dice: Dice; readonly world: World }

export type Wish = {
  readonly label: string
  readonly to: Hex | null
  readonly gas: number
  readonly data?: Hex
  readonly value?: bigint
  readonly delegateTo?: Hex
  readonly outcome?: Transaction['outcome']
}

export function transact({ dice }: Scene, sender: Resident, wish: Wish): Transaction {
  const { value = 0n, data = '0x', delegateTo = null, outcome = 'success' } = wish
  const kind = delegateTo === null ? pickKind(dice, wish.to) : 4
  const nonce = sender.nonce
  // An authorization takes a nonce of its own, right after the transaction's.
  sender.nonce += delegateTo === null ? 1 : 2
  if (outcome === 'success') sender.balanceWei -= value
  sender.balanceWei -= BigInt(wish.gas) * USUAL_GAS_PRICE_WEI
  return {
    type: 'transaction',
    label: wish.label,
    from: sender.account,
    nonce,
    kind,
    to: wish.to,
    value,
    data,
    gas: wish.gas + (kind === 1 ? ACCESS_LIST_ENTRY_GAS : 0),
    tipWei: BigInt(dice.amount(1_000_000, 2_000_000_000)),
    delegateTo,
    outcome,
  }
}

/** EIP-2930. */
const ACCESS_LIST_ENTRY_GAS = 2_400
/** Only for the planner's idea of balances. */
const USUAL_GAS_PRICE_WEI = 2_000_000_000n

function pickKind(dice: Dice, to: Hex | null): 0 | 1 | 2 {
  const roll = dice.below(100)
  if (roll < 12) return 0
  return roll < 18 && to !== null ? 1 : 2
}
