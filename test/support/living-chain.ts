// A devnet that lived for a while and then stood still, with everything its node reports about it.
import { setTimeout as sleep } from 'node:timers/promises'
import { developers, simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { rpc, startStillDevnet } from './devnet.ts'
import { type Hex, type NodeFacts, readNodeFacts } from './node-facts.ts'

const TRANSACTIONS_A_SECOND = 75
const BLOCK_EVERY_MS = 50
/** On average, at least: enough for every kind of them to be there. */
const TRANSACTIONS_A_BLOCK = 4
/** Paid by every transaction and named by none: base fee, L1 fee and operator fee. */
const FEE_VAULTS = ['19', '1a', '1b'].map((end): Hex => `0x42${'0'.repeat(36)}${end}`)

/** For `beforeAll`: the life, the reading of it, and indexing on a machine that does other things too. */
export const PREPARE_TIMEOUT_MS = 240_000

export type LivingChain = { url: string; facts: NodeFacts; stop: () => Promise<void> }

export async function startLivingChain({ blocks }: { blocks: number }): Promise<LivingChain> {
  const devnet = await startStillDevnet({ tps: TRANSACTIONS_A_SECOND })
  // On a machine that does other things too life is slower, and the chain longer.
  for (let sealed = 0, transactions = 0; sealed < blocks || transactions < blocks * TRANSACTIONS_A_BLOCK; sealed++) {
    const hash = await rpc(devnet.url, 'devnet_seal')
    transactions += Number(await rpc(devnet.url, 'eth_getBlockTransactionCountByHash', hash))
    await sleep(BLOCK_EVERY_MS)
  }
  const funded = [...developers, ...simulatedUsers].map(({ address }) => address)
  const facts = await readNodeFacts(devnet.url, [...funded, ...FEE_VAULTS])
  return { url: devnet.url, facts, stop: () => devnet.stop() }
}

/** The busiest accounts and contracts, a quiet one, and one that nobody knows. */
export function someAddresses({ transactions, transfers, internals }: NodeFacts): Hex[] {
  const counts = new Map<Hex, number>()
  const count = (address: Hex | null | undefined) => address && counts.set(address, (counts.get(address) ?? 0) + 1)
  for (const { raw } of transactions) for (const side of [raw.from, raw.to]) count(side)
  for (const { from, to } of transfers) for (const side of [from, to]) count(side)
  for (const { frame } of internals) for (const side of [frame.from, frame.to]) count(side)
  const ranked = [...counts].sort((a, b) => b[1] - a[1]).map(([address]) => address)
  return [...ranked.slice(0, 12), ranked.at(-1)!, NOBODY]
}

export const NOBODY: Hex = `0x${'77'.repeat(20)}`

export function newestFirst<T>(rows: readonly T[]): T[] {
  return [...rows].reverse()
}
