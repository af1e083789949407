// Users swap tokens and add or remove liquidity.

import { parseEther, parseUnits } from 'viem/utils'
import { callTo } from '../model/addresses.ts'
import { type ChainModel, type Pool, type SimulatedUser, smallShare, type Token, trade } from '../model/chain-model.ts'
import type { Action } from '../model/transact.ts'
import { NEVER, type Simulation, transact, withApproval } from '../model/transact.ts'

/** One token for another, sometimes through a third one. */
export function swapTokens(simulation: Simulation): Action {
  const { random, model } = simulation
  const trader = random.pick(model.users)
  const give = random.pick(TRADED)
  const take = give === 'AuroraDollar' ? 'DawnToken' : 'AuroraDollar'
  const path: Token[] = random.chance(0.3) ? [give, 'WrappedEther', take] : [give, take]
  return withApproval(simulation, { owner: trader, token: give, spender: 'Router' }, () => {
    const amount = spendSome(simulation, trader, give)
    const received = tradeAlong(model, path, amount)
    trader.tokens[take] += received
    const args = [amount, leastOf(received), addresses(model, path), trader.account.address, NEVER]
    const gas = 130_000 + 90_000 * path.length
    return transact(simulation, trader, { label: 'swap', ...callTo(model, 'Router', 'swapTokens', args), gas })
  })
}

export function buyTokens(simulation: Simulation): Action {
  const { random, model } = simulation
  const trader = random.pick(model.users)
  const take = random.pick(TRADED)
  const value = smallShare(trader.balanceWei, parseEther(`${random.amount(0.01, 3)}`))
  const received = tradeAlong(model, ['WrappedEther', take], value)
  trader.tokens[take] += received
  const path = addresses(model, ['WrappedEther', take])
  const call = callTo(model, 'Router', 'swapEtherForTokens', [leastOf(received), path, trader.account.address, NEVER])
  return transact(simulation, trader, { label: 'buy tokens', ...call, value, gas: 260_000 })
}

export function sellTokens(simulation: Simulation): Action {
  const { random, model } = simulation
  const trader = random.pick(model.users)
  const give = random.pick(TRADED)
  return withApproval(simulation, { owner: trader, token: give, spender: 'Router' }, () => {
    const amount = spendSome(simulation, trader, give)
    const received = tradeAlong(model, [give, 'WrappedEther'], amount)
    trader.balanceWei += received
    const path = addresses(model, [give, 'WrappedEther'])
    const args = [amount, leastOf(received), path, trader.account.address, NEVER]
    const call = callTo(model, 'Router', 'swapTokensForEther', args)
    return transact(simulation, trader, { label: 'sell tokens', ...call, gas: 280_000 })
  })
}

/** Dollars and Ether into their pool, in the pool's own proportion. */
export function addLiquidity(simulation: Simulation): Action {
  const { random, model } = simulation
  const lender = random.pick(model.users)
  return withApproval(simulation, { owner: lender, token: 'AuroraDollar', spender: 'Router' }, () => {
    const { reserves } = poolOf(model, 'AuroraDollar', 'WrappedEther')
    const dollars = spendSome(simulation, lender, 'AuroraDollar')
    const value = (dollars * reserves[1]) / reserves[0]
    reserves[0] += dollars
    reserves[1] += value
    const args = [model.contracts.AuroraDollar, dollars, lender.account.address, NEVER]
    const call = callTo(model, 'Router', 'addLiquidityEther', args)
    return transact(simulation, lender, { label: 'add liquidity', ...call, value, gas: 300_000 })
  })
}

/** The deployer removes a few shares of the first pool; there are enough for years. */
export function removeLiquidity(simulation: Simulation): Action {
  const { contracts, deployer } = simulation.model
  const shares = BigInt(simulation.random.amount(1e9, 1e12))
  const args = [contracts.AuroraDollar, contracts.DawnToken, shares, deployer.account.address, NEVER]
  const call = callTo(simulation.model, 'Router', 'removeLiquidity', args)
  return transact(simulation, deployer, { label: 'remove liquidity', ...call, gas: 260_000 })
}

const TRADED = ['AuroraDollar', 'DawnToken'] as const

/** Prices may move by a tenth between the plan and the block. */
function leastOf(expected: bigint) {
  return (expected * 9n) / 10n
}

/** Picks a plausible amount of a token and subtracts it from the user's balance. */
function spendSome({ random }: Simulation, trader: SimulatedUser, token: (typeof TRADED)[number]): bigint {
  const request =
    token === 'AuroraDollar' ? parseUnits(`${random.amount(5, 6_000)}`, 6) : parseEther(`${random.amount(5, 5_000)}`)
  const amount = smallShare(trader.tokens[token], request)
  trader.tokens[token] -= amount
  return amount
}

function tradeAlong(model: ChainModel, path: readonly Token[], amount: bigint): bigint {
  let paid = amount
  for (const [index, token] of path.slice(0, -1).entries())
    paid = trade(poolOf(model, token, path[index + 1]!), token, paid)
  return paid
}

function poolOf({ pools }: ChainModel, a: Token, b: Token): Pool {
  return pools.find(({ tokens }) => tokens.includes(a) && tokens.includes(b))!
}

function addresses({ contracts }: ChainModel, path: readonly Token[]) {
  return path.map((token) => contracts[token])
}
