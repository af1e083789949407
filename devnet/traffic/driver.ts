// Sends the simulated users' transactions to a node: signs them, sends them in batches at a steady rate, and reads the chain
// again after the node refused one. The caller gives deposits to the sequencer.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { ChainModel } from './model/chain-model.ts'
import { createRandom } from './model/random.ts'
import type { Deposit, Simulation, Transaction } from './model/transact.ts'
import { planDeployments, planNextAction } from './plan.ts'
import { hasLostTransactions, isDeployed, readChainModel } from './read-chain.ts'
import { createRpc, type Rpc } from './read-contracts.ts'
import { signAction, type Terms } from './sign-action.ts'

export type TrafficOptions = {
  /** URL of a node whose chain started from our genesis state. */
  readonly url: string
  /** Actions per second; 0 sends nothing. */
  readonly tps: number
  readonly seed: number
  /** Whether the users also do what only a chain with rules of its own offers. */
  readonly ownRules?: boolean | undefined
  readonly signal: AbortSignal
}

export type TrafficEvent =
  | { readonly type: 'sent'; readonly transaction: Transaction; readonly hash: Hex }
  | { readonly type: 'deposit'; readonly deposit: Deposit }
  | { readonly type: 'refused'; readonly reason: string }

/** Runs until the signal is aborted. If the node is down or refuses a transaction, it retries. */
export async function* runTraffic({ url, tps, seed, ownRules, signal }: TrafficOptions): AsyncGenerator<TrafficEvent> {
  if (tps === 0) return
  const rpc = createRpc(url, signal)
  while (!signal.aborted) {
    try {
      yield* sendFromModel({ rpc, tps, seed, ownRules, signal })
    } catch (error) {
      if (signal.aborted) return
      yield { type: 'refused', reason: error instanceof Error ? error.message : String(error) }
    }
    await pause(RETRY_MS, signal)
  }
}

const TICK_MS = 100
/** How often, in ticks, the base fee is read. */
const TICKS_A_PRICE = 10
/** How often, in ticks, the node is asked whether it lost transactions. */
const TICKS_A_CHECK = 30
const RETRY_MS = 1_000
/** By then, what was sent is in a block, whatever the rate. */
const SETTLED_AFTER_S = 10
/** After a stall no more than this is made up for. */
const LARGEST_CREDIT_S = 1
/** The model drifts from the chain, so it is read again after this many actions. */
const ACTIONS_PER_MODEL = 100_000
/** How many of the deployer's transactions wait in the pool at once. */
const DEPLOYMENT_GROUP = 8
const DEPLOYMENT_TIMEOUT_MS = 60_000

type Node = { readonly rpc: Rpc; readonly signal: AbortSignal }
type TrafficRun = Node & Pick<TrafficOptions, 'tps' | 'seed' | 'ownRules'>

/** Sends actions from one reading of the chain to the next. */
async function* sendFromModel({ rpc, tps, seed, ownRules = false, signal }: TrafficRun): AsyncGenerator<TrafficEvent> {
  const model = await readChainModel(rpc, { settledAfter: Math.ceil(tps * SETTLED_AFTER_S), ownRules })
  // The seed depends on the transactions so far, because a restart must not create the same salts again.
  const simulation = { model, random: createRandom(seed + transactionsSoFar(model)) }
  const chainId = BigInt(await rpc.request<Hex>('eth_chainId'))
  const termsNow = async () => ({ chainId, baseFeeWei: await readBaseFee(rpc) })
  if (!isDeployed(model)) {
    yield* deployContracts({ rpc, signal }, simulation, await termsNow())
    return
  }
  const rate = createRate(tps)
  let terms = await termsNow()
  for (let tick = 1; !signal.aborted && model.clock < ACTIONS_PER_MODEL; tick++) {
    await pause(TICK_MS, signal)
    if (tick % TICKS_A_PRICE === 0) terms = await termsNow()
    if (tick % TICKS_A_CHECK === 0 && (await hasLostTransactions(rpc, model)))
      throw new Error('The node lost transactions')
    const actions = Array.from({ length: rate.due() }, () => planNextAction(simulation))
    if (actions.length === 0) continue
    for (const deposit of actions.filter((action) => action.type === 'deposit')) yield { type: 'deposit', deposit }
    const transactions = actions.filter((action) => action.type === 'transaction')
    for (const event of await send(rpc, transactions, terms)) {
      yield event
      if (event.type === 'refused') return
    }
  }
}

/** Sends one group at a time: the next group is sent when the last one is in a block. */
async function* deployContracts(
  { rpc, signal }: Node,
  simulation: Simulation,
  terms: Terms,
): AsyncGenerator<TrafficEvent> {
  const steps = planDeployments(simulation)
  for (let from = 0; from < steps.length && !signal.aborted; from += DEPLOYMENT_GROUP) {
    const group = steps.slice(from, from + DEPLOYMENT_GROUP)
    for (const event of await send(rpc, group, terms)) {
      yield event
      if (event.type === 'refused') return
    }
    await reachedNonce({ rpc, signal }, simulation.model.deployer.account.address, group.at(-1)!.nonce + 1)
  }
}

async function reachedNonce({ rpc, signal }: Node, address: Hex, nonce: number): Promise<void> {
  const deadline = performance.now() + DEPLOYMENT_TIMEOUT_MS
  while (Number(await rpc.request<Hex>('eth_getTransactionCount', address, 'latest')) < nonce) {
    if (performance.now() > deadline) throw new Error('deployment: the transactions are not included in blocks')
    await pause(TICK_MS, signal)
  }
}

async function send(rpc: Rpc, transactions: readonly Transaction[], terms: Terms): Promise<TrafficEvent[]> {
  const signed = transactions.map((transaction) => ({ transaction, ...signAction(transaction, terms) }))
  const answers = await rpc.batch(signed.map(({ raw }) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
  return signed.map(({ transaction, hash }, index) => {
    const answer = answers[index]!
    if ('error' in answer) return { type: 'refused', reason: `${transaction.label}: ${answer.error}` }
    return { type: 'sent', transaction, hash }
  })
}

async function readBaseFee(rpc: Rpc): Promise<bigint> {
  const { baseFeePerGas } = await rpc.request<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', 'latest', false)
  return BigInt(baseFeePerGas)
}

/** Counts how many actions are due since the last call. */
function createRate(tps: number) {
  let credit = 0
  let lastMs = performance.now()
  return {
    due(): number {
      const nowMs = performance.now()
      credit = Math.min(credit + (tps * (nowMs - lastMs)) / 1_000, Math.max(1, tps * LARGEST_CREDIT_S))
      lastMs = nowMs
      const count = Math.floor(credit)
      credit -= count
      return count
    },
  }
}

function transactionsSoFar({ deployer, users }: ChainModel) {
  return users.reduce((sum, { nonce }) => sum + nonce, deployer.nonce)
}

/** Returns early, without an error, when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
