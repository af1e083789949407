// A few people let their accounts run the code of BatchAccount (EIP-7702) and do several things at once.

import { parseEther, parseUnits } from 'viem/utils'
import { callOf } from '../../contracts/calldata.ts'
import type { Action } from '../action.ts'
import { UNLIMITED } from '../approval.ts'
import { type Delegator, isSettled, type Resident } from '../chain-model.ts'
import { type Scene, transact, type Wish } from '../transact.ts'
import { sendEther } from './payments.ts'

/** EIP-7702: to delegate to it is to delegate no more. */
const NOBODY = '0x0000000000000000000000000000000000000000'

/** A batch to oneself. The first one carries the authorization; later ones need none. */
export function executeBatch(scene: Scene): Action {
  const person = pickDelegator(scene)
  if (!person) return sendEther(scene)
  const data = callOf('BatchAccount', 'execute', [batch(scene, person)])
  const wish = { label: 'batch', to: person.account.address, data, gas: 400_000 }
  if (person.delegated && scene.dice.chance(0.6)) return transact(scene, person, wish)
  return delegate(scene, person, { ...wish, label: 'delegate and batch', delegateTo: scene.world.places.BatchAccount })
}

export function endDelegation(scene: Scene): Action {
  const person = pickDelegator(scene)
  if (!person) return sendEther(scene)
  const wish = { label: 'end delegation', to: person.account.address, gas: 80_000 }
  return delegate(scene, person, { ...wish, delegateTo: NOBODY })
}

function pickDelegator({ dice, world }: Scene): Delegator | undefined {
  const free = world.delegators.filter(({ authorizedAt }) => isSettled(world, authorizedAt))
  return free.length > 0 ? dice.pick(free) : undefined
}

function delegate(scene: Scene, person: Delegator, wish: Wish): Action {
  person.delegated = wish.delegateTo !== NOBODY
  person.authorizedAt = scene.world.clock
  return transact(scene, person, wish)
}

function batch({ dice, world }: Scene, person: Resident) {
  const { places } = world
  const friend = dice.pick(world.people).account.address
  const dollars = parseUnits(`${dice.amount(1, 50)}`, 6)
  person.tokens.AuroraDollar -= dollars
  return [
    { target: places.AuroraDollar, value: 0n, data: callOf('AuroraDollar', 'transfer', [friend, dollars]) },
    { target: places.DawnToken, value: 0n, data: callOf('DawnToken', 'approve', [places.Router, UNLIMITED]) },
    { target: places.Lanterns, value: 0n, data: callOf('Lanterns', 'fold', [BigInt(1 + dice.below(8)), 3n]) },
    { target: dice.bytes(20), value: parseEther('0.001'), data: '0x' },
  ]
}
