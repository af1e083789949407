// Deposits of Ether from L1 and withdrawals to L1.

import { parseEther } from 'viem/utils'
import { addressToHex, type Hex } from '../../../src/chain/bytes/hex.ts'
import { L2_TO_L1_MESSAGE_PASSER } from '../../../src/chain/rules/addresses.ts'
import { callOf } from '../../contracts/calldata.ts'
import { callTo } from '../model/addresses.ts'
import { smallShare } from '../model/chain-model.ts'
import type { Action, Deposit } from '../model/transact.ts'
import { type Simulation, transact } from '../model/transact.ts'

/** Ether for another user, sometimes wrapped on arrival. */
export function depositFromL1({ random, model }: Simulation): Deposit {
  const value = parseEther(`${random.amount(0.1, 40)}`)
  const deposit = { type: 'deposit', from: random.pick(L1_ACCOUNTS), mint: value, value, gas: 200_000 } as const
  if (random.chance(0.25)) {
    return { ...deposit, label: 'deposit and wrap', ...callTo(model, 'WrappedEther', 'deposit') }
  }
  const receiver = random.pick(model.users)
  receiver.balanceWei += value
  return { ...deposit, label: 'deposit', to: receiver.account.address, data: '0x' }
}

export function withdrawToL1(simulation: Simulation): Action {
  const person = simulation.random.pick(simulation.model.users)
  const value = smallShare(person.balanceWei, parseEther(`${simulation.random.amount(0.01, 2)}`))
  const data = callOf('L2ToL1MessagePasser', 'initiateWithdrawal', [person.account.address, 100_000n, '0x'])
  return transact(simulation, person, { label: 'withdraw to L1', to: MESSAGE_PASSER, value, data, gas: 120_000 })
}

const MESSAGE_PASSER = addressToHex(L2_TO_L1_MESSAGE_PASSER)

/** A deposit raises its sender's nonce, so the depositors send no other transactions. */
const L1_ACCOUNTS: readonly Hex[] = [
  '0x11a0c0de00000000000000000000000000000001',
  '0x11a0c0de00000000000000000000000000000002',
  '0x11a0c0de00000000000000000000000000000003',
]
