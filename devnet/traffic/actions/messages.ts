// People write: in the guestbook behind its proxy, in the diary of sunrises, in the books of the savings vault.

import { parseEther } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import type { Action } from '../action.ts'
import { callTo } from '../addresses.ts'
import { modestPart } from '../chain-model.ts'
import type { Dice } from '../random.ts'
import { type Scene, transact } from '../transact.ts'

export function signGuestbook(scene: Scene): Action {
  const { dice, world } = scene
  const data = callOf('Guestbook', 'sign', [pickLine(dice)])
  const guest = dice.pick(world.people)
  return transact(scene, guest, { label: 'sign guestbook', to: world.places.Proxy, data, gas: 130_000 })
}

/** The keeper puts the proxy on the other edition, or on the same one again. */
export function upgradeGuestbook(scene: Scene): Action {
  const { places, founder } = scene.world
  const edition = scene.dice.pick([places.Guestbook, places.GuestbookSecondEdition])
  const data = callOf('Guestbook', 'upgradeToAndCall', [edition, '0x'])
  return transact(scene, founder, { label: 'upgrade proxy', to: places.Proxy, data, gas: 80_000 })
}

/** Calls a linked library. */
export function noteSunrise(scene: Scene): Action {
  const observer = scene.dice.pick(scene.world.people)
  return transact(scene, observer, { label: 'note sunrise', ...callTo(scene.world, 'SunDiary', 'note'), gas: 90_000 })
}

/** The vault written in Vyper: save, take back, give. */
export function useVault(scene: Scene): Action {
  const { dice, world } = scene
  const saver = dice.pick(world.people)
  const some = saver.savingsWei / BigInt(2 + dice.below(5))
  if (some === 0n || dice.chance(0.5)) {
    const value = modestPart(saver.balanceWei, parseEther(`${dice.amount(0.01, 4)}`))
    saver.savingsWei += value
    return transact(scene, saver, { label: 'save', ...callTo(world, 'SavingsVault', 'save'), value, gas: 120_000 })
  }
  saver.savingsWei -= some
  if (dice.chance(0.6)) {
    const call = callTo(world, 'SavingsVault', 'take', [some])
    return transact(scene, saver, { label: 'take savings', ...call, gas: 130_000 })
  }
  const call = callTo(world, 'SavingsVault', 'give', [dice.pick(world.people).account.address, some])
  return transact(scene, saver, { label: 'give savings', ...call, gas: 130_000 })
}

export function pickLine(dice: Dice): string {
  return dice.pick(LINES)
}

const LINES = [
  'The light was early today.',
  'Came for the swaps, stayed for the view.',
  'Hello from block land!',
  'gm ☀️',
  'Nobody was here but the sequencer and me.',
  'If you read this, it was included.',
]
