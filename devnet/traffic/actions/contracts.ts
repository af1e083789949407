// Users create and use contracts: tip jars (clones), time capsules (CREATE2), mayflies (self-destruct), and own deployments.

import { parseEther } from 'viem/utils'
import { callOf, creationOf } from '../../contracts/calldata.ts'
import { callTo, capsuleAddress, jarAddress } from '../model/addresses.ts'
import { pushBounded } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { type Simulation, transact } from '../model/transact.ts'
import { pickLine } from './messages.ts'

/** A clone (ERC-1167), with a first tip. */
export function makeJar(simulation: Simulation): Action {
  const { random, model } = simulation
  const owner = random.pick(model.users)
  const label = random.bytes(32)
  pushBounded(model.jars, { address: jarAddress(model.contracts, owner.account.address, label), owner })
  const call = callTo(model, 'JarFactory', 'make', [label])
  return transact(simulation, owner, { label: 'make jar', ...call, value: parseEther('0.001'), gas: 240_000 })
}

/** Somebody tips, or the owner withdraws. */
export function useJar(simulation: Simulation): Action {
  const { random, model } = simulation
  if (model.jars.length === 0) return makeJar(simulation)
  const { address, owner } = random.pick(model.jars)
  if (random.chance(0.2)) {
    return transact(simulation, owner, {
      label: 'empty jar',
      to: address,
      data: callOf('TipJar', 'empty'),
      gas: 90_000,
    })
  }
  const value = parseEther(`${random.amount(0.001, 0.2)}`)
  return transact(simulation, random.pick(model.users), { label: 'tip', to: address, value, gas: 60_000 })
}

/** CREATE2. Half of the capsules may be opened at once. */
export function buryCapsule(simulation: Simulation): Action {
  const { random, model } = simulation
  const owner = random.pick(model.users)
  const salt = random.bytes(32)
  const opensAt = random.pick([LONG_AGO, FAR_AWAY])
  const note = pickLine(random)
  const address = capsuleAddress(model.contracts, salt, [owner.account.address, opensAt, note])
  if (opensAt === LONG_AGO) pushBounded(model.capsules, { address, owner })
  const call = callTo(model, 'CapsuleFactory', 'bury', [salt, opensAt, note])
  const value = parseEther(`${random.amount(0.01, 1)}`)
  return transact(simulation, owner, { label: 'bury capsule', ...call, value, gas: 700_000 })
}

export function openCapsule(simulation: Simulation): Action {
  const capsule = simulation.model.capsules.shift()
  if (!capsule) return buryCapsule(simulation)
  const data = callOf('TimeCapsule', 'open')
  return transact(simulation, capsule.owner, { label: 'open capsule', to: capsule.address, data, gas: 80_000 })
}

/** A deployment by a transaction without recipient. */
export function deployOwn(simulation: Simulation): Action {
  const { random, model } = simulation
  const owner = random.pick(model.users)
  const data = random.pick([
    () => creationOf('TimeCapsule', [owner.account.address, FAR_AWAY, pickLine(random)]),
    () => creationOf('SunDiary', [], { Almanac: model.contracts.Almanac }),
    () => creationOf('DawnToken', [owner.account.address, parseEther(`${random.amount(1_000, 1_000_000)}`)]),
    () => creationOf('SavingsVault'),
  ])()
  return transact(simulation, owner, { label: 'deploy', to: null, data, gas: 1_500_000 })
}

/** A contract that is created and destroyed in one transaction. */
export function flutterMayfly(simulation: Simulation): Action {
  const { random, model } = simulation
  const [owner, heir] = [random.pick(model.users), random.pick(model.users)]
  const call = callTo(model, 'MayflySwarm', 'flutter', [heir.account.address])
  return transact(simulation, owner, { label: 'flutter', ...call, value: parseEther('0.002'), gas: 260_000 })
}

/** Creates a contract or destroys an earlier one. Only the deployer does this, so the order is fixed. */
export function hatchOrRelease(simulation: Simulation): Action {
  const { random, model } = simulation
  if (model.mayflies === 0 || random.chance(0.3)) {
    model.mayflies++
    const call = callTo(model, 'MayflySwarm', 'hatch')
    return transact(simulation, model.deployer, { label: 'hatch', ...call, value: parseEther('0.003'), gas: 300_000 })
  }
  model.mayflies--
  const call = callTo(model, 'MayflySwarm', 'release', [random.pick(model.users).account.address])
  return transact(simulation, model.deployer, { label: 'release', ...call, gas: 100_000 })
}

const LONG_AGO = 1_000_000_000n
const FAR_AWAY = 4_000_000_000n
