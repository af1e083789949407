// Plays the plan against a node: signs, sends in batches at a steady rate, and reads the world anew when something was
// refused. Deposits are handed on to whoever runs the sequencer.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { Deposit, Transaction } from './action.ts'
import type { World } from './chain-model.ts'
import { createRpc, type Rpc } from './json-rpc.ts'
import { planFounding, planNext } from './plan.ts'
import { createDice } from './random.ts'
import { hasLost, isFounded, surveyWorld } from './read-chain.ts'
import { signAction, type Terms } from './sign-action.ts'
import type { Scene } from './transact.ts'

export type LifeOptions = {
  /** Of a node whose chain began with our genesis state. */
  readonly url: string
  /** Actions a second; 0 is silence. */
  readonly tps: number
  readonly seed: number
  readonly signal: AbortSignal
}

export type Happening =
  | { readonly type: 'sent'; readonly transaction: Transaction; readonly hash: Hex }
  | { readonly type: 'deposit'; readonly deposit: Deposit }
  | { readonly type: 'refused'; readonly reason: string }

/** Goes on until the signal; a node that is away or refuses is tried again. */
export async function* live({ url, tps, seed, signal }: LifeOptions): AsyncGenerator<Happening> {
  if (tps === 0) return
  const rpc = createRpc(url, signal)
  while (!signal.aborted) {
    try {
      yield* chapter({ rpc, tps, seed, signal })
    } catch (error) {
      if (signal.aborted) return
      yield { type: 'refused', reason: error instanceof Error ? error.message : String(error) }
    }
    await pause(RETRY_MS, signal)
  }
}

const TICK_MS = 100
/** The base fee is looked up every so many ticks. */
const TICKS_A_PRICE = 10
/** The node is asked for lost transactions every so many ticks. */
const TICKS_A_CHECK = 30
const RETRY_MS = 1_000
/** By then, what was sent is in a block, whatever the rate. */
const SETTLED_AFTER_S = 10
/** After a stall no more than this is made up for. */
const LARGEST_CREDIT_S = 1
/** The plan and the chain part little by little: so many actions later the world is read again. */
const CHAPTER_LENGTH = 100_000
/** The founder's transactions that wait in the pool at the same time. */
const FOUNDING_GROUP = 8
const FOUNDING_TIMEOUT_MS = 60_000

type Node = { readonly rpc: Rpc; readonly signal: AbortSignal }
type Chapter = Node & Pick<LifeOptions, 'tps' | 'seed'>

/** From one reading of the world to the next. */
async function* chapter({ rpc, tps, seed, signal }: Chapter): AsyncGenerator<Happening> {
  const world = await surveyWorld(rpc, Math.ceil(tps * SETTLED_AFTER_S))
  // Throws that depend on what has happened so far: a restart must not make the same salts again.
  const scene = { world, dice: createDice(seed + transactionsSoFar(world)) }
  const chainId = BigInt(await rpc.request<Hex>('eth_chainId'))
  const termsNow = async () => ({ chainId, baseFeeWei: await readBaseFee(rpc) })
  if (!isFounded(world)) {
    yield* found({ rpc, signal }, scene, await termsNow())
    return
  }
  const rate = createRate(tps)
  let terms = await termsNow()
  for (let tick = 1; !signal.aborted && world.clock < CHAPTER_LENGTH; tick++) {
    await pause(TICK_MS, signal)
    if (tick % TICKS_A_PRICE === 0) terms = await termsNow()
    if (tick % TICKS_A_CHECK === 0 && (await hasLost(rpc, world))) throw new Error('The node lost transactions')
    const actions = Array.from({ length: rate.due() }, () => planNext(scene))
    if (actions.length === 0) continue
    for (const deposit of actions.filter((action) => action.type === 'deposit')) yield { type: 'deposit', deposit }
    const transactions = actions.filter((action) => action.type === 'transaction')
    for (const happening of await send(rpc, transactions, terms)) {
      yield happening
      if (happening.type === 'refused') return
    }
  }
}

/** Group by group: the next one is sent when the last one is in a block. */
async function* found({ rpc, signal }: Node, scene: Scene, terms: Terms): AsyncGenerator<Happening> {
  const steps = planFounding(scene)
  for (let from = 0; from < steps.length && !signal.aborted; from += FOUNDING_GROUP) {
    const group = steps.slice(from, from + FOUNDING_GROUP)
    for (const happening of await send(rpc, group, terms)) {
      yield happening
      if (happening.type === 'refused') return
    }
    await reachedNonce({ rpc, signal }, scene.world.founder.account.address, group.at(-1)!.nonce + 1)
  }
}

async function reachedNonce({ rpc, signal }: Node, address: Hex, nonce: number): Promise<void> {
  const deadline = Date.now() + FOUNDING_TIMEOUT_MS
  while (Number(await rpc.request<Hex>('eth_getTransactionCount', address, 'latest')) < nonce) {
    if (Date.now() > deadline) throw new Error('The founding does not get into blocks')
    await pause(TICK_MS, signal)
  }
}

async function send(rpc: Rpc, transactions: readonly Transaction[], terms: Terms): Promise<Happening[]> {
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

/** How many actions are due since the last time it was asked. */
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

function transactionsSoFar({ founder, people }: World) {
  return people.reduce((sum, { nonce }) => sum + nonce, founder.nonce)
}

/** Ends early, without complaint, when the signal comes. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
