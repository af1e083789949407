// People trade on the exchange and lend it their tokens.

import { parseEther, parseUnits } from 'viem/utils'
import type { Action } from '../action.ts'
import { callTo } from '../addresses.ts'
import { withApproval } from '../approval.ts'
import { modestPart, type Pool, type Resident, type Token, trade, type World } from '../chain-model.ts'
import { NEVER } from '../deployments.ts'
import { type Scene, transact } from '../transact.ts'

/** One token for another, at times through a third one. */
export function swapTokens(scene: Scene): Action {
  const { dice, world } = scene
  const trader = dice.pick(world.people)
  const give = dice.pick(TRADED)
  const take = give === 'AuroraDollar' ? 'DawnToken' : 'AuroraDollar'
  const path: Token[] = dice.chance(0.3) ? [give, 'WrappedEther', take] : [give, take]
  return withApproval(scene, { owner: trader, token: give, spender: 'Router' }, () => {
    const amount = spendSome(scene, trader, give)
    const received = tradeAlong(world, path, amount)
    trader.tokens[take] += received
    const args = [amount, leastOf(received), addresses(world, path), trader.account.address, NEVER]
    const gas = 130_000 + 90_000 * path.length
    return transact(scene, trader, { label: 'swap', ...callTo(world, 'Router', 'swapTokens', args), gas })
  })
}

export function buyTokens(scene: Scene): Action {
  const { dice, world } = scene
  const trader = dice.pick(world.people)
  const take = dice.pick(TRADED)
  const value = modestPart(trader.balanceWei, parseEther(`${dice.amount(0.01, 3)}`))
  const received = tradeAlong(world, ['WrappedEther', take], value)
  trader.tokens[take] += received
  const path = addresses(world, ['WrappedEther', take])
  const call = callTo(world, 'Router', 'swapEtherForTokens', [leastOf(received), path, trader.account.address, NEVER])
  return transact(scene, trader, { label: 'buy tokens', ...call, value, gas: 260_000 })
}

export function sellTokens(scene: Scene): Action {
  const { dice, world } = scene
  const trader = dice.pick(world.people)
  const give = dice.pick(TRADED)
  return withApproval(scene, { owner: trader, token: give, spender: 'Router' }, () => {
    const amount = spendSome(scene, trader, give)
    const received = tradeAlong(world, [give, 'WrappedEther'], amount)
    trader.balanceWei += received
    const path = addresses(world, [give, 'WrappedEther'])
    const args = [amount, leastOf(received), path, trader.account.address, NEVER]
    const call = callTo(world, 'Router', 'swapTokensForEther', args)
    return transact(scene, trader, { label: 'sell tokens', ...call, gas: 280_000 })
  })
}

/** Dollars and Ether into their pool, in the pool's own proportion. */
export function addLiquidity(scene: Scene): Action {
  const { dice, world } = scene
  const lender = dice.pick(world.people)
  return withApproval(scene, { owner: lender, token: 'AuroraDollar', spender: 'Router' }, () => {
    const { reserves } = poolOf(world, 'AuroraDollar', 'WrappedEther')
    const dollars = spendSome(scene, lender, 'AuroraDollar')
    const value = (dollars * reserves[1]) / reserves[0]
    reserves[0] += dollars
    reserves[1] += value
    const args = [world.places.AuroraDollar, dollars, lender.account.address, NEVER]
    const call = callTo(world, 'Router', 'addLiquidityEther', args)
    return transact(scene, lender, { label: 'add liquidity', ...call, value, gas: 300_000 })
  })
}

/** The founder takes a few shares of the first pool back; there are enough of them for years. */
export function removeLiquidity(scene: Scene): Action {
  const { places, founder } = scene.world
  const shares = BigInt(scene.dice.amount(1e9, 1e12))
  const args = [places.AuroraDollar, places.DawnToken, shares, founder.account.address, NEVER]
  const call = callTo(scene.world, 'Router', 'removeLiquidity', args)
  return transact(scene, founder, { label: 'remove liquidity', ...call, gas: 260_000 })
}

const TRADED = ['AuroraDollar', 'DawnToken'] as const

/** Prices may move by a tenth between the plan and the block. */
function leastOf(expected: bigint) {
  return (expected * 9n) / 10n
}

/** Takes a believable amount of a token out of somebody's pocket. */
function spendSome({ dice }: Scene, trader: Resident, token: (typeof TRADED)[number]): bigint {
  const wish =
    token === 'AuroraDollar' ? parseUnits(`${dice.amount(5, 6_000)}`, 6) : parseEther(`${dice.amount(5, 5_000)}`)
  const amount = modestPart(trader.tokens[token], wish)
  trader.tokens[token] -= amount
  return amount
}

function tradeAlong(world: World, path: readonly Token[], amount: bigint): bigint {
  let paid = amount
  for (const [index, token] of path.slice(0, -1).entries())
    paid = trade(poolOf(world, token, path[index + 1]!), token, paid)
  return paid
}

function poolOf({ pools }: World, a: Token, b: Token): Pool {
  return pools.find(({ tokens }) => tokens.includes(a) && tokens.includes(b))!
}

function addresses({ places }: World, path: readonly Token[]) {
  return path.map((token) => places[token])
}
