// Ether comes from L1 and goes back.

import { parseEther } from 'viem/utils'
import { addressToHex, type Hex } from '../../../src/chain/bytes/hex.ts'
import { L2_TO_L1_MESSAGE_PASSER } from '../../../src/chain/rules/addresses.ts'
import { callOf } from '../../contracts/calldata.ts'
import type { Action, Deposit } from '../action.ts'
import { callTo } from '../addresses.ts'
import { modestPart } from '../chain-model.ts'
import { type Scene, transact } from '../transact.ts'

/** Some Ether for a neighbour, at times wrapped on arrival. */
export function depositFromL1({ dice, world }: Scene): Deposit {
  const value = parseEther(`${dice.amount(0.1, 40)}`)
  const deposit = { type: 'deposit', from: dice.pick(L1_ACCOUNTS), mint: value, value, gas: 200_000 } as const
  if (dice.chance(0.25)) {
    return { ...deposit, label: 'deposit and wrap', ...callTo(world, 'WrappedEther', 'deposit') }
  }
  const receiver = dice.pick(world.people)
  receiver.balanceWei += value
  return { ...deposit, label: 'deposit', to: receiver.account.address, data: '0x' }
}

export function withdrawToL1(scene: Scene): Action {
  const person = scene.dice.pick(scene.world.people)
  const value = modestPart(person.balanceWei, parseEther(`${scene.dice.amount(0.01, 2)}`))
  const data = callOf('L2ToL1MessagePasser', 'initiateWithdrawal', [person.account.address, 100_000n, '0x'])
  return transact(scene, person, { label: 'withdraw to L1', to: MESSAGE_PASSER, value, data, gas: 120_000 })
}

const MESSAGE_PASSER = addressToHex(L2_TO_L1_MESSAGE_PASSER)

/** A deposit raises its sender's nonce, so nobody who also sends transactions here may be one. */
const L1_ACCOUNTS: readonly Hex[] = [
  '0x11a0c0de00000000000000000000000000000001',
  '0x11a0c0de00000000000000000000000000000002',
  '0x11a0c0de00000000000000000000000000000003',
]
