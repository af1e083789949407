// Native balances after every block, of everyone who took part in it: the balance before plus what the block changed. What was before
// the first stored block is told by the genesis file or the node. A few are compared with the node at every block; where they differ the
// node is right.

import type { Hex } from '../../chain/bytes/hex.ts'
import type { GenesisAccount } from '../../chain/rules/genesis.ts'
import { createLru } from '../../lib/cache/lru.ts'
import type { Log } from '../../lib/log.ts'
import type { Database } from '../../store/engine/database.ts'
import { nativeBalancesBefore, nativeBalancesOf } from '../../store/read/native-balances.ts'
import type { NativeBalanceRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { addressesToCheck } from './sampling.ts'
import { hashAt, readStateAt, weiFrom } from './state-at-block.ts'

export type NativeBalances = {
  /** For blocks that follow each other, below which the store is as it will be; `reward` is what the miner was given beside fees. */
  after(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<BlockBalances[]>
}

export type BlockBalances = { readonly rows: readonly NativeBalanceRow[]; readonly reward: bigint }

/** Since the start of the process. */
export type BalanceCounts = { sampled: number; healed: number }

export type NativeBalanceOptions = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  readonly log: Log
  /** Addresses compared with the node at every block; 0 asks for none. */
  readonly samples: number
  /** First height of the range that the blocks are in: below it something may be missing, so what is stored there does not count. */
  readonly since: number
  /** Written with block 0, which may come together with others; a range that begins with it knows all who have a balance. */
  readonly genesis: readonly GenesisAccount[] | null
  readonly counts: BalanceCounts
}

const BALANCES_KEPT = 200_000

export function createNativeBalances(options: NativeBalanceOptions): NativeBalances {
  const { node, database, log, samples, since, genesis, counts } = options
  const kept = createLru<Hex, bigint>(BALANCES_KEPT)

  /** Balances before the first of the blocks. Whoever is not stored since the range began has what the node says of that moment. */
  const before = async (addresses: ReadonlySet<Hex>, height: number, signal: AbortSignal) => {
    const balances = new Map<Hex, bigint>()
    const unknown: Hex[] = []
    const first = new Map(height === 0 ? genesis?.map(({ address, balance }) => [address, balance]) : [])
    for (const address of addresses) {
      const balance = kept.get(address) ?? first.get(address)
      if (balance === undefined) unknown.push(address)
      else balances.set(address, balance)
    }
    for (const row of await storedBefore(database, unknown, height)) {
      if (row.height >= since) balances.set(row.address, row.balance)
    }
    const unseen = unknown.filter((address) => !balances.has(address))
    const isFromGenesis = genesis !== null && since === 0
    const told = isFromGenesis
      ? []
      : await readStateAt(
          { node, signal },
          unseen.map((address) => ({ type: 'balance', address, height: Math.max(0, height - 1) })),
        )
    for (const [index, address] of unseen.entries()) balances.set(address, weiFrom(told[index] ?? null) ?? 0n)
    return balances
  }

  return {
    async after(blocks, signal) {
      const touched = new Set(
        blocks.flatMap(({ nativeChanges, participants }) => [...(nativeChanges?.keys() ?? participants)]),
      )
      const balances = await before(touched, blocks[0]!.block.height, signal)
      const checks = blocks.map((block) => addressesToCheck(block, samples))
      const told = await readStateAt(
        { node, signal },
        checks.flatMap((addresses, index) =>
          addresses.map((address) => ({ type: 'balance' as const, address, height: blocks[index]!.block.height })),
        ),
      )
      let next = 0
      const results: BlockBalances[] = []
      for (const [index, block] of blocks.entries()) {
        const answers = new Map(checks[index]!.map((address) => [address, weiFrom(told[next++]!)] as const))
        results.push(await applied(block, answers, { balances, signal }))
      }
      for (const [address, balance] of balances) kept.set(address, balance)
      return results
    },
  }

  async function applied(
    block: DerivedBlock,
    answers: ReadonlyMap<Hex, bigint | null>,
    { balances, signal }: { balances: Map<Hex, bigint>; signal: AbortSignal },
  ): Promise<BlockBalances> {
    const { height, hash, difficulty, miner } = block.block
    const rows: NativeBalanceRow[] = []
    let reward = 0n
    for (const address of block.nativeChanges?.keys() ?? block.participants) {
      const known = balances.get(address)!
      const computed = known + (block.nativeChanges?.get(address) ?? 0n)
      let told = answers.get(address) ?? null
      if (computed < 0n && told === null && samples > 0) {
        const [answer = null] = await readStateAt({ node, signal }, [{ type: 'balance', address, height }])
        told = weiFrom(answer)
      }
      const isRewarded = address === miner && difficulty > 0n && told !== null && told > computed
      const differs = block.nativeChanges !== null && told !== null && told !== computed && !isRewarded
      // It was asked by height: in a reorg the node may have spoken of the block that took this one's place.
      if (differs && (await hashAt({ node, signal }, height)) !== hash) told = null
      // Without traces and without the node's word nothing is known of it.
      if (told === null && block.nativeChanges === null) continue
      const balance = told ?? (computed < 0n ? 0n : computed)
      if (isRewarded) reward = balance - computed
      else if (told !== null && block.nativeChanges !== null) {
        counts.sampled++
        if (told !== computed) {
          counts.healed++
          log.warn({ height, address, computed: `${computed}`, told: `${told}` }, 'a balance differs from the node’s')
        }
      }
      // Also where nothing changed: whether a row is there must not hang on what came before.
      rows.push({ address, height, balance })
      balances.set(address, balance)
    }
    return { rows, reward }
  }
}

/** The current ones, and where those are of later blocks (that a reorg takes, or above a gap) the ones before. */
async function storedBefore(database: Database, addresses: readonly Hex[], height: number) {
  const current = [...(await nativeBalancesOf(database, addresses)).values()]
  const later = current.filter((row) => row.height >= height).map(({ address }) => address)
  if (later.length === 0) return current
  const before = await nativeBalancesBefore(database, later, height)
  return [...current.filter((row) => row.height < height), ...before.values()]
}
