// Reads the world from the chain: at the start, after a restart, and whenever the plan and the chain have parted.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import { type KeyedAccount, residents } from '../genesis/accounts.ts'
import { pairAddress, placesOf } from './addresses.ts'
import { type Delegator, poolPairs, type Resident, tokenNames, type World } from './chain-model.ts'
import { foundingSteps } from './deployments.ts'
import type { Rpc } from './json-rpc.ts'
import { readContracts } from './read-contracts.ts'

export async function surveyWorld(rpc: Rpc, settledAfter: number): Promise<World> {
  const [founder, ...everyone] = (await readAccounts(rpc)) as [Resident, ...Resident[]]
  const places = placesOf(founder.account.address)
  const pools = poolPairs.map((tokens) => ({ tokens, reserves: [0n, 0n] as [bigint, bigint] }))
  const world: World = {
    places,
    founder,
    people: everyone.slice(DELEGATORS),
    delegators: everyone.slice(0, DELEGATORS).map(toDelegator),
    pools,
    stars: [],
    nextStar: FIRST_STAR,
    jars: [],
    capsules: [],
    mayflies: 0,
    clock: 0,
    settledAfter,
  }
  if (isFounded(world)) await readHoldings(rpc, world)
  return world
}

/** Whether the node's pool forgot transactions of somebody: all that follow would wait there forever. */
export async function hasLost(rpc: Rpc, { founder, people, delegators }: World): Promise<boolean> {
  const nonces = await readQuantities(rpc, 'eth_getTransactionCount', 'pending')
  const isBehind = (resident: Resident, by: number) => Number(nonces.get(resident.account)) + by < resident.nonce
  // An authorization that is not in a block yet has taken a nonce that the pool does not count.
  return [founder, ...people].some((person) => isBehind(person, 0)) || delegators.some((person) => isBehind(person, 1))
}

export function isFounded(world: World) {
  return world.founder.nonce >= foundingSteps(world).length
}

const DELEGATORS = 4
const LONG_AGO = Number.NEGATIVE_INFINITY

/** Star 0 is the founder's. */
const FIRST_STAR = 1
const LANTERN_KINDS = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]
/** So many stars around the last one are looked at. */
const STARS_READ = 200

async function readAccounts(rpc: Rpc): Promise<Resident[]> {
  const nonces = await readQuantities(rpc, 'eth_getTransactionCount', 'pending')
  const balances = await readQuantities(rpc, 'eth_getBalance', 'latest')
  return residents.map((account) => ({
    account,
    nonce: Number(nonces.get(account)),
    balanceWei: balances.get(account)!,
    tokens: { AuroraDollar: 0n, DawnToken: 0n, WrappedEther: 0n },
    lanterns: new Map(),
    approvals: new Set(),
    savingsWei: 0n,
  }))
}

/** One quantity of every resident. */
async function readQuantities(rpc: Rpc, method: string, tag: string): Promise<Map<KeyedAccount, bigint>> {
  const answers = await rpc.batch(residents.map(({ address }) => ({ method, params: [address, tag] })))
  return new Map(
    residents.map((account, index) => {
      const answer = answers[index]!
      if ('error' in answer) throw new Error(`${method} was refused: ${answer.error}`)
      return [account, BigInt(answer.result as Hex)]
    }),
  )
}

function toDelegator(resident: Resident): Delegator {
  return { ...resident, delegated: false, authorizedAt: LONG_AGO }
}

async function readHoldings(rpc: Rpc, world: World): Promise<void> {
  await Promise.all([
    readTokens(rpc, world),
    readLanternsAndSavings(rpc, world),
    readPools(rpc, world),
    readStars(rpc, world),
  ])
}

async function readTokens(rpc: Rpc, { people, delegators, places }: World): Promise<void> {
  const owned = [...people, ...delegators].flatMap((person) => tokenNames.map((token) => ({ person, token })))
  const readings = owned.map(({ person, token }) => ({
    contract: token,
    at: places[token],
    functionName: 'balanceOf',
    args: [person.account.address],
  }))
  const balances = (await readContracts(rpc, readings)) as bigint[]
  for (const [index, { person, token }] of owned.entries()) person.tokens[token] = balances[index]!
}

async function readLanternsAndSavings(rpc: Rpc, { people, places }: World): Promise<void> {
  const lanterns = people.map(({ account }) => ({
    contract: 'Lanterns' as const,
    at: places.Lanterns,
    functionName: 'balanceOfBatch',
    args: [LANTERN_KINDS.map(() => account.address), LANTERN_KINDS],
  }))
  const savings = people.map(({ account }) => ({
    contract: 'SavingsVault' as const,
    at: places.SavingsVault,
    functionName: 'savings',
    args: [account.address],
  }))
  const answers = await readContracts(rpc, [...lanterns, ...savings])
  for (const [index, person] of people.entries()) {
    const counts = answers[index] as bigint[]
    for (const [kind, count] of counts.entries()) person.lanterns.set(Number(LANTERN_KINDS[kind]), Number(count))
    person.savingsWei = answers[people.length + index] as bigint
  }
}

async function readPools(rpc: Rpc, { pools, places }: World): Promise<void> {
  const readings = pools.map(({ tokens }) => ({
    contract: 'Pair' as const,
    at: pairAddress(places, places[tokens[0]], places[tokens[1]]),
    functionName: 'reserves',
  }))
  const answers = (await readContracts(rpc, readings)) as [bigint, bigint][]
  for (const [index, { tokens, reserves }] of pools.entries()) {
    // A pool sorts its tokens by address.
    const ascending = places[tokens[0]] < places[tokens[1]]
    const [first, second] = answers[index]!
    reserves[0] = ascending ? first : second
    reserves[1] = ascending ? second : first
  }
}

/** Claims that were lost leave holes, so the number of stars is only near the number of the last one. */
async function readStars(rpc: Rpc, world: World): Promise<void> {
  const atlas = { contract: 'StarAtlas' as const, at: world.places.StarAtlas }
  const [count] = (await readContracts(rpc, [{ ...atlas, functionName: 'totalSupply' }])) as [bigint]
  const from = Math.max(FIRST_STAR, Number(count) - STARS_READ)
  const ids = Array.from({ length: 2 * STARS_READ }, (_, index) => from + index)
  const readings = ids.map((id) => ({ ...atlas, functionName: 'ownerOf', args: [BigInt(id)] }))
  const owners = (await readContracts(rpc, readings)) as (Hex | undefined)[]
  for (const [index, id] of ids.entries()) {
    const address = owners[index]?.toLowerCase()
    if (!address) continue
    world.nextStar = id + 1
    const owner = world.people.find((person) => person.account.address === address)
    if (owner) world.stars.push({ id, owner, since: LONG_AGO })
  }
}
