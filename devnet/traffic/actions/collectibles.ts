// Users claim and transfer stars (ERC-721) and mint lanterns (ERC-1155), one kind or several at once.

import { parseEther } from 'viem/utils'
import { callTo } from '../model/addresses.ts'
import { isSettled, pushBounded, type SimulatedUser } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { type Simulation, transact } from '../model/transact.ts'

export function claimStar(simulation: Simulation): Action {
  const { random, model } = simulation
  const owner = random.pick(model.users)
  const id = model.nextStar++
  pushBounded(model.stars, { id, owner, since: Number.NEGATIVE_INFINITY })
  const call = callTo(model, 'StarAtlas', 'claim', [BigInt(id)])
  return transact(simulation, owner, { label: 'claim star', ...call, value: STAR_PRICE, gas: 160_000 })
}

export function giveStar(simulation: Simulation): Action {
  const { random, model } = simulation
  const settled = model.stars.filter((star) => isSettled(model, star.since))
  if (settled.length === 0) return claimStar(simulation)
  const star = random.pick(settled)
  const giver = star.owner
  const receiver = random.pick(model.users.filter((person) => person !== giver))
  star.owner = receiver
  star.since = model.clock
  const gift = [giver.account.address, receiver.account.address, BigInt(star.id)]
  const call = callTo(model, 'StarAtlas', random.pick(TRANSFERS), gift)
  return transact(simulation, giver, { label: 'give star', ...call, gas: 130_000 })
}

export function foldLanterns(simulation: Simulation): Action {
  const { random, model } = simulation
  return fold(simulation, random.pick(model.users), random.chance(0.5) ? 1 : 2 + random.below(4))
}

export function giveLanterns(simulation: Simulation): Action {
  const { random, model } = simulation
  const [giver, receiver] = random.pickMany(model.users, 2) as [SimulatedUser, SimulatedUser]
  const owned = [...giver.lanterns].filter(([, count]) => count > 0)
  if (owned.length === 0) return fold(simulation, giver, 3)

  const given = random
    .pickMany(owned, random.chance(0.5) ? 1 : 4)
    .map(([kind, count]) => [kind, 1 + random.below(count)] as const)
  for (const [kind, count] of given) giver.lanterns.set(kind, giver.lanterns.get(kind)! - count)
  const parties = [giver.account.address, receiver.account.address]
  const call =
    given.length === 1
      ? callTo(model, 'Lanterns', 'safeTransferFrom', [...parties, ...given[0]!, '0x'])
      : callTo(model, 'Lanterns', 'safeBatchTransferFrom', [...parties, ...kindsAndCounts(given), '0x'])
  const label = given.length === 1 ? 'give lantern' : 'give lanterns'
  return transact(simulation, giver, { label, ...call, gas: 90_000 + 45_000 * given.length })
}

const STAR_PRICE = parseEther('0.01')
const TRANSFERS = ['safeTransferFrom(address,address,uint256)', 'transferFrom']
const LANTERN_KINDS = [1, 2, 3, 4, 5, 6, 7, 8]

type Lanterns = readonly [kind: number, count: number]

function fold(simulation: Simulation, maker: SimulatedUser, kinds: number): Action {
  const { random, model } = simulation
  const folded = random.pickMany(LANTERN_KINDS, kinds).map((kind) => [kind, 1 + random.below(20)] as const)
  for (const [kind, count] of folded) maker.lanterns.set(kind, (maker.lanterns.get(kind) ?? 0) + count)
  const call =
    folded.length === 1
      ? callTo(model, 'Lanterns', 'fold', folded[0])
      : callTo(model, 'Lanterns', 'foldBatch', kindsAndCounts(folded))
  return transact(simulation, maker, { label: 'fold lanterns', ...call, gas: 80_000 + 30_000 * kinds })
}

function kindsAndCounts(lanterns: readonly Lanterns[]) {
  return [lanterns.map(([kind]) => kind), lanterns.map(([, count]) => count)]
}
