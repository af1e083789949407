import { beforeEach, describe, expect, test } from 'vitest'
import { developers, simulatedUsers } from '../genesis/accounts.ts'
import { contractAddresses, deployedContracts } from './model/addresses.ts'
import { type ChainModel, poolPairs, type SimulatedUser } from './model/chain-model.ts'
import { createRandom } from './model/random.ts'
import type { Action, Simulation } from './model/transact.ts'
import { planDeployments, planNextAction } from './plan.ts'

describe('the founding', () => {
  test('the founding gives step i the nonce i', () => {
    const steps = planDeployments(newSimulation(1))
    expect(steps.map(({ nonce }) => nonce)).toEqual(steps.map((_, index) => index))
    expect(steps.slice(0, deployedContracts.length).every(({ to }) => to === null)).toBe(true)
  })

  test('the founding goes on where it was left', () => {
    const simulation = newSimulation(1)
    const all = planDeployments(newSimulation(1))
    simulation.model.deployer.nonce = 20
    expect(planDeployments(simulation).map(({ label }) => label)).toEqual(all.slice(20).map(({ label }) => label))
  })
})

describe('the traffic', () => {
  let actions: Action[]
  beforeEach(() => {
    actions = planned(newSimulation(42), 5_000)
  })

  test('the traffic is the same for the same seed', () => {
    expect(planned(newSimulation(42), 500)).toEqual(actions.slice(0, 500))
    expect(planned(newSimulation(43), 500)).not.toEqual(actions.slice(0, 500))
  })

  test('the traffic gives every sender its nonces without a gap, two for an authorization', () => {
    const next = new Map<string, number>()
    for (const { from, nonce, kind } of transactionsOf(actions)) {
      expect(nonce).toBe(next.get(from.address) ?? 0)
      next.set(from.address, nonce + (kind === 4 ? 2 : 1))
    }
  })

  test('the traffic uses every kind of transaction, and fails now and then', () => {
    const transactions = transactionsOf(actions)
    expect(new Set(transactions.map(({ kind }) => kind))).toEqual(new Set([0, 1, 2, 4]))
    const failing = transactions.filter(({ outcome }) => outcome === 'revert').length / transactions.length
    expect(failing).toBeGreaterThan(0.01)
    expect(failing).toBeLessThan(0.06)
  })

  test('the traffic has transfers of more than a hundred Ether', () => {
    const large = transactionsOf(actions).filter(({ value }) => value > 100n * 10n ** 18n)
    expect(large.length).toBeGreaterThan(10)
  })

  test('the traffic never lets a depositor also send, since a deposit takes a nonce', () => {
    const senders = new Set(transactionsOf(actions).map(({ from }) => from.address))
    const depositors = actions.filter((action) => action.type === 'deposit').map(({ from }) => from)
    expect(depositors.length).toBeGreaterThan(0)
    expect(depositors.filter((address) => senders.has(address))).toEqual([])
  })

  test('the traffic leaves the accounts of the developers alone', () => {
    const theirs = new Set(developers.map(({ address }) => address))
    expect(transactionsOf(actions).filter(({ from }) => theirs.has(from.address))).toEqual([])
  })

  test('the traffic lets nobody act again right after an authorization', () => {
    const transactions = transactionsOf(actions)
    for (const [index, { kind, from }] of transactions.entries()) {
      if (kind !== 4) continue
      const soon = transactions.slice(index + 1, index + 900)
      expect(soon.filter((transaction) => transaction.from === from)).toEqual([])
    }
  })
})

function planned(simulation: Simulation, count: number) {
  return Array.from({ length: count }, () => planNextAction(simulation))
}

function transactionsOf(actions: readonly Action[]) {
  return actions.filter((action) => action.type === 'transaction')
}

function newSimulation(seed: number): Simulation {
  const [deployer, ...everyone] = simulatedUsers.map(newResident) as [SimulatedUser, ...SimulatedUser[]]
  const model: ChainModel = {
    contracts: contractAddresses(deployer.account.address),
    ownRules: false,
    deployer,
    users: everyone.slice(4),
    delegators: everyone.slice(0, 4).map((person) => ({ ...person, delegated: false, authorizedAt: -Infinity })),
    pools: poolPairs.map((tokens) => ({ tokens, reserves: [10n ** 24n, 10n ** 24n] })),
    stars: [],
    nextStar: 1,
    jars: [],
    capsules: [],
    mayflies: 0,
    clock: 0,
    settledAfter: 1_000,
  }
  return { model, random: createRandom(seed) }
}

function newResident(account: (typeof simulatedUsers)[number]): SimulatedUser {
  return {
    account,
    nonce: 0,
    balanceWei: 10_000n * 10n ** 18n,
    tokens: { AuroraDollar: 10n ** 12n, DawnToken: 10n ** 24n, WrappedEther: 0n },
    lanterns: new Map(),
    approvals: new Set(),
    savingsWei: 0n,
  }
}
