// People make contracts and use them: tip jars, time capsules, mayflies, and some of their own.

import { parseEther } from 'viem/utils'
import { callOf, creationOf } from '../../contracts/calldata.ts'
import type { Action } from '../action.ts'
import { callTo, capsuleAddress, jarAddress } from '../addresses.ts'
import { remember } from '../chain-model.ts'
import { type Scene, transact } from '../transact.ts'
import { pickLine } from './messages.ts'

/** A clone (ERC-1167), with a first tip. */
export function makeJar(scene: Scene): Action {
  const { dice, world } = scene
  const owner = dice.pick(world.people)
  const label = dice.bytes(32)
  remember(world.jars, { address: jarAddress(world.places, owner.account.address, label), owner })
  const call = callTo(world, 'JarFactory', 'make', [label])
  return transact(scene, owner, { label: 'make jar', ...call, value: parseEther('0.001'), gas: 240_000 })
}

/** A tip, or its owner empties the jar. */
export function useJar(scene: Scene): Action {
  const { dice, world } = scene
  if (world.jars.length === 0) return makeJar(scene)
  const { address, owner } = dice.pick(world.jars)
  if (dice.chance(0.2)) {
    return transact(scene, owner, { label: 'empty jar', to: address, data: callOf('TipJar', 'empty'), gas: 90_000 })
  }
  const value = parseEther(`${dice.amount(0.001, 0.2)}`)
  return transact(scene, dice.pick(world.people), { label: 'tip', to: address, value, gas: 60_000 })
}

/** CREATE2. Half of the capsules may be opened at once. */
export function buryCapsule(scene: Scene): Action {
  const { dice, world } = scene
  const owner = dice.pick(world.people)
  const salt = dice.bytes(32)
  const opensAt = dice.pick([LONG_AGO, FAR_AWAY])
  const note = pickLine(dice)
  const address = capsuleAddress(world.places, salt, [owner.account.address, opensAt, note])
  if (opensAt === LONG_AGO) remember(world.capsules, { address, owner })
  const call = callTo(world, 'CapsuleFactory', 'bury', [salt, opensAt, note])
  const value = parseEther(`${dice.amount(0.01, 1)}`)
  return transact(scene, owner, { label: 'bury capsule', ...call, value, gas: 700_000 })
}

export function openCapsule(scene: Scene): Action {
  const capsule = scene.world.capsules.shift()
  if (!capsule) return buryCapsule(scene)
  const data = callOf('TimeCapsule', 'open')
  return transact(scene, capsule.owner, { label: 'open capsule', to: capsule.address, data, gas: 80_000 })
}

/** A contract of one's own, by a transaction without recipient. */
export function deployOwn(scene: Scene): Action {
  const { dice, world } = scene
  const owner = dice.pick(world.people)
  const data = dice.pick([
    () => creationOf('TimeCapsule', [owner.account.address, FAR_AWAY, pickLine(dice)]),
    () => creationOf('SunDiary', [], { Almanac: world.places.Almanac }),
    () => creationOf('DawnToken', [owner.account.address, parseEther(`${dice.amount(1_000, 1_000_000)}`)]),
    () => creationOf('SavingsVault'),
  ])()
  return transact(scene, owner, { label: 'deploy', to: null, data, gas: 1_500_000 })
}

/** A contract that is born and destroyed in one transaction. */
export function flutterMayfly(scene: Scene): Action {
  const { dice, world } = scene
  const [owner, heir] = [dice.pick(world.people), dice.pick(world.people)]
  const call = callTo(world, 'MayflySwarm', 'flutter', [heir.account.address])
  return transact(scene, owner, { label: 'flutter', ...call, value: parseEther('0.002'), gas: 260_000 })
}

/** A contract that waits for its end, and the end of one. Only the founder does this, so none is released too early. */
export function hatchOrRelease(scene: Scene): Action {
  const { dice, world } = scene
  if (world.mayflies === 0 || dice.chance(0.3)) {
    world.mayflies++
    const call = callTo(world, 'MayflySwarm', 'hatch')
    return transact(scene, world.founder, { label: 'hatch', ...call, value: parseEther('0.003'), gas: 300_000 })
  }
  world.mayflies--
  const call = callTo(world, 'MayflySwarm', 'release', [dice.pick(world.people).account.address])
  return transact(scene, world.founder, { label: 'release', ...call, gas: 100_000 })
}

const LONG_AGO = 1_000_000_000n
const FAR_AWAY = 4_000_000_000n
