// Users write to contracts: the guestbook (behind a proxy), the sunrise diary (linked library), the savings vault (Vyper).

import { parseEther } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import { callTo } from '../model/addresses.ts'
import { smallShare } from '../model/chain-model.ts'
import type { Random } from '../model/random.ts'
import type { Action } from '../model/transact.ts'
import { type Simulation, transact } from '../model/transact.ts'

export function signGuestbook(simulation: Simulation): Action {
  const { random, model } = simulation
  const data = callOf('Guestbook', 'sign', [pickLine(random)])
  const guest = random.pick(model.users)
  return transact(simulation, guest, { label: 'sign guestbook', to: model.contracts.Proxy, data, gas: 130_000 })
}

/** The deployer upgrades the proxy to one of the two editions. */
export function upgradeGuestbook(simulation: Simulation): Action {
  const { contracts, deployer } = simulation.model
  const edition = simulation.random.pick([contracts.Guestbook, contracts.GuestbookSecondEdition])
  const data = callOf('Guestbook', 'upgradeToAndCall', [edition, '0x'])
  return transact(simulation, deployer, { label: 'upgrade proxy', to: contracts.Proxy, data, gas: 80_000 })
}

/** Calls a linked library. */
export function noteSunrise(simulation: Simulation): Action {
  const observer = simulation.random.pick(simulation.model.users)
  return transact(simulation, observer, {
    label: 'note sunrise',
    ...callTo(simulation.model, 'SunDiary', 'note'),
    gas: 90_000,
  })
}

/** Deposit, withdraw or transfer in the vault, which is written in Vyper. */
export function useVault(simulation: Simulation): Action {
  const { random, model } = simulation
  const saver = random.pick(model.users)
  const some = saver.savingsWei / BigInt(2 + random.below(5))
  if (some === 0n || random.chance(0.5)) {
    const value = smallShare(saver.balanceWei, parseEther(`${random.amount(0.01, 4)}`))
    saver.savingsWei += value
    return transact(simulation, saver, { label: 'save', ...callTo(model, 'SavingsVault', 'save'), value, gas: 120_000 })
  }
  saver.savingsWei -= some
  if (random.chance(0.6)) {
    const call = callTo(model, 'SavingsVault', 'take', [some])
    return transact(simulation, saver, { label: 'take savings', ...call, gas: 130_000 })
  }
  const call = callTo(model, 'SavingsVault', 'give', [random.pick(model.users).account.address, some])
  return transact(simulation, saver, { label: 'give savings', ...call, gas: 130_000 })
}

export function pickLine(random: Random): string {
  return random.pick(LINES)
}

const LINES = [
  'The light was early today.',
  'Came for the swaps, stayed for the view.',
  'Hello from block land!',
  'gm ☀️',
  'Nobody was here but the sequencer and me.',
  'If you read this, it was included.',
]
