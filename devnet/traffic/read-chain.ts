// Reads the model from the chain: at the start, after a restart, and whenever model and chain differ.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import { type KeyedAccount, simulatedUsers } from '../genesis/accounts.ts'
import { deploymentSteps } from './deployments.ts'
import { contractAddresses, pairAddress } from './model/addresses.ts'
import { type ChainModel, type Delegator, poolPairs, type SimulatedUser, tokenNames } from './model/chain-model.ts'
import type { Rpc } from './read-contracts.ts'
import { readContracts } from './read-contracts.ts'

type Reading = { readonly settledAfter: number; readonly ownRules: boolean }

export async function readChainModel(rpc: Rpc, { settledAfter, ownRules }: Reading): Promise<ChainModel> {
  const [deployer, ...everyone] = (await readAccounts(rpc)) as [SimulatedUser, ...SimulatedUser[]]
  const contracts = contractAddresses(deployer.account.address)
  const pools = poolPairs.map((tokens) => ({ tokens, reserves: [0n, 0n] as [bigint, bigint] }))
  const model: ChainModel = {
    contracts,
    ownRules,
    deployer,
    users: everyone.slice(DELEGATORS),
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
  if (isDeployed(model)) await readHoldings(rpc, model)
  return model
}

/** Whether the node's pool lost a transaction: all later ones of the same sender would wait in the pool forever. */
export async function hasLostTransactions(rpc: Rpc, { deployer, users, delegators }: ChainModel): Promise<boolean> {
  const nonces = await readQuantities(rpc, 'eth_getTransactionCount', 'pending')
  const isBehind = (user: SimulatedUser, by: number) => Number(nonces.get(user.account)) + by < user.nonce
  // An authorization that is not in a block yet uses a nonce that the pool does not count.
  return [deployer, ...users].some((person) => isBehind(person, 0)) || delegators.some((person) => isBehind(person, 1))
}

export function isDeployed(model: ChainModel) {
  return model.deployer.nonce >= deploymentSteps(model).length
}

const DELEGATORS = 4
const LONG_AGO = Number.NEGATIVE_INFINITY

/** Star 0 is the deployer's. */
const FIRST_STAR = 1
const LANTERN_KINDS = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]
/** How many stars before and after the last one are read. */
const STARS_READ = 200

async function readAccounts(rpc: Rpc): Promise<SimulatedUser[]> {
  const nonces = await readQuantities(rpc, 'eth_getTransactionCount', 'pending')
  const balances = await readQuantities(rpc, 'eth_getBalance', 'latest')
  return simulatedUsers.map((account) => ({
    account,
    nonce: Number(nonces.get(account)),
    balanceWei: balances.get(account)!,
    tokens: { AuroraDollar: 0n, DawnToken: 0n, WrappedEther: 0n },
    lanterns: new Map(),
    approvals: new Set(),
    savingsWei: 0n,
  }))
}

/** One quantity of every user. */
async function readQuantities(rpc: Rpc, method: string, tag: string): Promise<Map<KeyedAccount, bigint>> {
  const answers = await rpc.batch(simulatedUsers.map(({ address }) => ({ method, params: [address, tag] })))
  return new Map(
    simulatedUsers.map((account, index) => {
      const answer = answers[index]!
      if ('error' in answer) throw new Error(`${method} was refused: ${answer.error}`)
      return [account, BigInt(answer.result as Hex)]
    }),
  )
}

function toDelegator(user: SimulatedUser): Delegator {
  return { ...user, delegated: false, authorizedAt: LONG_AGO }
}

async function readHoldings(rpc: Rpc, model: ChainModel): Promise<void> {
  await Promise.all([
    readTokens(rpc, model),
    readLanternsAndSavings(rpc, model),
    readPools(rpc, model),
    readStars(rpc, model),
  ])
}

async function readTokens(rpc: Rpc, { users, delegators, contracts }: ChainModel): Promise<void> {
  const owned = [...users, ...delegators].flatMap((person) => tokenNames.map((token) => ({ person, token })))
  const readings = owned.map(({ person, token }) => ({
    contract: token,
    at: contracts[token],
    functionName: 'balanceOf',
    args: [person.account.address],
  }))
  const balances = (await readContracts(rpc, readings)) as bigint[]
  for (const [index, { person, token }] of owned.entries()) person.tokens[token] = balances[index]!
}

async function readLanternsAndSavings(rpc: Rpc, { users, contracts }: ChainModel): Promise<void> {
  const lanterns = users.map(({ account }) => ({
    contract: 'Lanterns' as const,
    at: contracts.Lanterns,
    functionName: 'balanceOfBatch',
    args: [LANTERN_KINDS.map(() => account.address), LANTERN_KINDS],
  }))
  const savings = users.map(({ account }) => ({
    contract: 'SavingsVault' as const,
    at: contracts.SavingsVault,
    functionName: 'savings',
    args: [account.address],
  }))
  const answers = await readContracts(rpc, [...lanterns, ...savings])
  for (const [index, person] of users.entries()) {
    const counts = answers[index] as bigint[]
    for (const [kind, count] of counts.entries()) person.lanterns.set(Number(LANTERN_KINDS[kind]), Number(count))
    person.savingsWei = answers[users.length + index] as bigint
  }
}

async function readPools(rpc: Rpc, { pools, contracts }: ChainModel): Promise<void> {
  const readings = pools.map(({ tokens }) => ({
    contract: 'Pair' as const,
    at: pairAddress(contracts, contracts[tokens[0]], contracts[tokens[1]]),
    functionName: 'reserves',
  }))
  const answers = (await readContracts(rpc, readings)) as [bigint, bigint][]
  for (const [index, { tokens, reserves }] of pools.entries()) {
    // A pool sorts its tokens by address.
    const ascending = contracts[tokens[0]] < contracts[tokens[1]]
    const [first, second] = answers[index]!
    reserves[0] = ascending ? first : second
    reserves[1] = ascending ? second : first
  }
}

/** Lost claims leave holes in the ids, so the number of stars is only close to the last id. */
async function readStars(rpc: Rpc, model: ChainModel): Promise<void> {
  const atlas = { contract: 'StarAtlas' as const, at: model.contracts.StarAtlas }
  const [count] = (await readContracts(rpc, [{ ...atlas, functionName: 'totalSupply' }])) as [bigint]
  const from = Math.max(FIRST_STAR, Number(count) - STARS_READ)
  const ids = Array.from({ length: 2 * STARS_READ }, (_, index) => from + index)
  const readings = ids.map((id) => ({ ...atlas, functionName: 'ownerOf', args: [BigInt(id)] }))
  const owners = (await readContracts(rpc, readings)) as (Hex | undefined)[]
  for (const [index, id] of ids.entries()) {
    const address = owners[index]?.toLowerCase()
    if (!address) continue
    model.nextStar = id + 1
    const owner = model.users.find((person) => person.account.address === address)
    if (owner) model.stars.push({ id, owner, since: LONG_AGO })
  }
}
