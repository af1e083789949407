// Users send the token that is a part of the node, on a chain with rules of its own.
import { parseUnits } from 'viem/utils'
import { addressToHex } from '../../../src/chain/bytes/hex.ts'
import { callOf } from '../../contracts/calldata.ts'
import { PLATFORM_TOKEN } from '../../genesis/own-rules.ts'
import type { SimulatedUser } from '../model/chain-model.ts'
import { type Action, type Simulation, transact } from '../model/transact.ts'

/** Everybody has so much of it from the start that nobody runs out. */
export function sendBeryl(simulation: Simulation): Action {
  const { sender, to, amount } = payment(simulation)
  const data = callOf('PlatformToken', 'transfer', [to, amount])
  return transact(simulation, sender, { label: 'send Beryl', to: TOKEN, data, gas: 90_000 })
}

export function sendBerylWithMemo(simulation: Simulation): Action {
  const { sender, to, amount } = payment(simulation)
  const data = callOf('PlatformToken', 'transferWithMemo', [to, amount, simulation.random.bytes(32)])
  return transact(simulation, sender, { label: 'send Beryl with a memo', to: TOKEN, data, gas: 100_000 })
}

const TOKEN = addressToHex(PLATFORM_TOKEN)

function payment({ random, model }: Simulation) {
  const [sender, receiver] = random.pickMany(model.users, 2) as [SimulatedUser, SimulatedUser]
  const to = random.chance(0.1) ? random.bytes(20) : receiver.account.address
  return { sender, to, amount: parseUnits(`${random.amount(0.1, 50)}`, 6) }
}
