// People claim stars and give them away, and fold paper lanterns, one kind or several at once.

import { parseEther } from 'viem/utils'
import type { Action } from '../action.ts'
import { callTo } from '../addresses.ts'
import { isSettled, type Resident, remember } from '../chain-model.ts'
import { type Scene, transact } from '../transact.ts'

export function claimStar(scene: Scene): Action {
  const { dice, world } = scene
  const owner = dice.pick(world.people)
  const id = world.nextStar++
  remember(world.stars, { id, owner, since: Number.NEGATIVE_INFINITY })
  const call = callTo(world, 'StarAtlas', 'claim', [BigInt(id)])
  return transact(scene, owner, { label: 'claim star', ...call, value: STAR_PRICE, gas: 160_000 })
}

export function giveStar(scene: Scene): Action {
  const { dice, world } = scene
  const settled = world.stars.filter((star) => isSettled(world, star.since))
  if (settled.length === 0) return claimStar(scene)
  const star = dice.pick(settled)
  const giver = star.owner
  const receiver = dice.pick(world.people.filter((person) => person !== giver))
  star.owner = receiver
  star.since = world.clock
  const gift = [giver.account.address, receiver.account.address, BigInt(star.id)]
  const call = callTo(world, 'StarAtlas', dice.pick(TRANSFERS), gift)
  return transact(scene, giver, { label: 'give star', ...call, gas: 130_000 })
}

export function foldLanterns(scene: Scene): Action {
  const { dice, world } = scene
  return fold(scene, dice.pick(world.people), dice.chance(0.5) ? 1 : 2 + dice.below(4))
}

export function giveLanterns(scene: Scene): Action {
  const { dice, world } = scene
  const [giver, receiver] = dice.pickMany(world.people, 2) as [Resident, Resident]
  const owned = [...giver.lanterns].filter(([, count]) => count > 0)
  if (owned.length === 0) return fold(scene, giver, 3)

  const given = dice
    .pickMany(owned, dice.chance(0.5) ? 1 : 4)
    .map(([kind, count]) => [kind, 1 + dice.below(count)] as const)
  for (const [kind, count] of given) giver.lanterns.set(kind, giver.lanterns.get(kind)! - count)
  const parties = [giver.account.address, receiver.account.address]
  const call =
    given.length === 1
      ? callTo(world, 'Lanterns', 'safeTransferFrom', [...parties, ...given[0]!, '0x'])
      : callTo(world, 'Lanterns', 'safeBatchTransferFrom', [...parties, ...kindsAndCounts(given), '0x'])
  const label = given.length === 1 ? 'give lantern' : 'give lanterns'
  return transact(scene, giver, { label, ...call, gas: 90_000 + 45_000 * given.length })
}

const STAR_PRICE = parseEther('0.01')
const TRANSFERS = ['safeTransferFrom(address,address,uint256)', 'transferFrom']
const LANTERN_KINDS = [1, 2, 3, 4, 5, 6, 7, 8]

type Lanterns = readonly [kind: number, count: number]

function fold(scene: Scene, maker: Resident, kinds: number): Action {
  const { dice, world } = scene
  const folded = dice.pickMany(LANTERN_KINDS, kinds).map((kind) => [kind, 1 + dice.below(20)] as const)
  for (const [kind, count] of folded) maker.lanterns.set(kind, (maker.lanterns.get(kind) ?? 0) + count)
  const call =
    folded.length === 1
      ? callTo(world, 'Lanterns', 'fold', folded[0])
      : callTo(world, 'Lanterns', 'foldBatch', kindsAndCounts(folded))
  return transact(scene, maker, { label: 'fold lanterns', ...call, gas: 80_000 + 30_000 * kinds })
}

function kindsAndCounts(lanterns: readonly Lanterns[]) {
  return [lanterns.map(([kind]) => kind), lanterns.map(([, count]) => count)]
}
