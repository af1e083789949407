// Native balances after every block: the balance before plus what the block changed. Balances before the first stored block come from the
// genesis file or from the node; one that neither has is stored as not known. At every block a few balances are compared with the
// node; where they differ, the node's value is stored.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { GenesisAccount } from '../../chain/rules/genesis.ts'
import type { Log } from '../../lib/log.ts'
import type { Database } from '../../store/engine/database.ts'
import { nativeBalancesBefore, nativeBalancesOf } from '../../store/read/native-balances.ts'
import type { NativeBalanceRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { hashAt, readStateAt, weiFrom } from './state-at-block.ts'

export type NativeBalances = {
  /** The blocks must follow each other, and the store must be complete below them. `reward` is what the miner got beside fees. */
  after(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<BlockBalances[]>
  /** Reads the balances of these addresses from the store again. */
  forget(addresses: readonly Hex[]): void
}

export type BlockBalances = { readonly rows: readonly NativeBalanceRow[]; readonly reward: bigint }

/** Since the start of the process. */
export type BalanceCounts = { sampled: number; healed: number }

export type NativeBalanceOptions = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  readonly log: Log
  /** Number of addresses that are compared with the node at every block. */
  readonly samples: number
  /** First height of the range of the blocks. There may be a gap below it, so balances stored below it are not used. */
  readonly since: number
  /** Stored with block 0. A range that begins with it knows every account that has a balance. */
  readonly genesis: readonly GenesisAccount[] | null
  readonly counts: BalanceCounts
  /** Below the blocks there are calls that are not known and may have moved native currency. */
  readonly hasUnseenChanges: boolean
}

const MAX_CACHED_BALANCES = 200_000

/** Null: not known, because the node was asked and did not say. */
type Balance = bigint | null

export function createNativeBalances(options: NativeBalanceOptions): NativeBalances {
  const { node, database, log, samples, since, genesis, counts } = options
  const knownBalances = new LRUCache<Hex, bigint>({ max: MAX_CACHED_BALANCES })
  let { hasUnseenChanges } = options

  /** Balances before the first of the blocks. For an address whose balance is not stored in this range the node is asked. */
  const before = async (addresses: ReadonlySet<Hex>, height: number, signal: AbortSignal) => {
    const balances = new Map<Hex, Balance>()
    const unknown: Hex[] = []
    const first = new Map(height === 0 ? genesis?.map(({ address, balance }) => [address, balance]) : [])
    for (const address of addresses) {
      const balance = knownBalances.get(address) ?? first.get(address)
      if (balance === undefined) unknown.push(address)
      else balances.set(address, balance)
    }
    for (const row of await storedBefore(database, unknown, height)) {
      if (row.height >= since) balances.set(row.address, row.balance)
    }
    // An address that nobody has seen since genesis has nothing, unless something moved unseen.
    if (genesis !== null && since === 0 && !hasUnseenChanges) {
      for (const address of unknown) if (!balances.has(address)) balances.set(address, 0n)
    }
    const asked = unknown.filter((address) => (balances.get(address) ?? null) === null)
    const answers = await readStateAt(
      { node, signal },
      asked.map((address) => ({ type: 'balance', address, height: Math.max(0, height - 1) })),
    )
    for (const [index, address] of asked.entries()) balances.set(address, weiFrom(answers[index] ?? null))
    return balances
  }

  return {
    forget(addresses) {
      for (const address of addresses) knownBalances.delete(address)
    },
    async after(blocks, signal) {
      const touched = new Set(blocks.flatMap((block) => [...touchedBy(block)]))
      if (blocks.some(({ nativeChanges }) => nativeChanges === null)) hasUnseenChanges = true
      const balances = await before(touched, blocks[0]!.block.height, signal)
      const checks = blocks.map((block) => addressesToCheck(block, samples))
      const sampled = await readStateAt(
        { node, signal },
        checks.flatMap((addresses, index) =>
          addresses.map((address) => ({ type: 'balance' as const, address, height: blocks[index]!.block.height })),
        ),
      )
      let next = 0
      const results: BlockBalances[] = []
      for (const [index, block] of blocks.entries()) {
        const answers = new Map(checks[index]!.map((address) => [address, weiFrom(sampled[next++]!)] as const))
        results.push(await applied(block, answers, { balances, signal }))
      }
      for (const [address, balance] of balances) {
        if (balance === null) knownBalances.delete(address)
        else knownBalances.set(address, balance)
      }
      return results
    },
  }

  async function applied(
    block: DerivedBlock,
    answers: ReadonlyMap<Hex, Balance>,
    { balances, signal }: { balances: Map<Hex, Balance>; signal: AbortSignal },
  ): Promise<BlockBalances> {
    const { height, hash, difficulty, miner } = block.block
    const rows: NativeBalanceRow[] = []
    let reward = 0n
    for (const address of touchedBy(block)) {
      const computed = sumOf(balances.get(address) ?? null, block.nativeChanges?.get(address))
      let reported = answers.get(address) ?? null
      if (computed !== null && computed < 0n && reported === null && samples > 0) {
        const [answer = null] = await readStateAt({ node, signal }, [{ type: 'balance', address, height }])
        reported = weiFrom(answer)
      }
      const isComparable = reported !== null && computed !== null
      const isRewarded = address === miner && difficulty > 0n && isComparable && reported! > computed!
      const differs = isComparable && reported !== computed && !isRewarded
      // The node was asked by height. After a reorg its answer may be about the block that replaced this one.
      if (differs && (await hashAt({ node, signal }, height)) !== hash) reported = null
      const balance = reported ?? (computed !== null && computed >= 0n ? computed : null)
      if (isRewarded) reward = reported! - computed!
      else if (reported !== null && computed !== null) {
        counts.sampled++
        if (reported !== computed) {
          counts.healed++
          log.warn(
            { height, address, computed: `${computed}`, reported: `${reported}` },
            'indexer: a balance differs from the node’s',
          )
        }
      }
      // A row is written even if the balance did not change: whether it exists must not depend on earlier blocks.
      rows.push({ address, height, balance })
      balances.set(address, balance)
    }
    return { rows, reward }
  }
}

/** Without all calls of the block, everybody who took part may have another balance. */
function touchedBy({ nativeChanges, participants }: DerivedBlock): Iterable<Hex> {
  return nativeChanges?.keys() ?? participants
}

/** Null where the balance before or the change is not known. */
function sumOf(before: Balance, change: bigint | undefined): Balance {
  return before === null || change === undefined ? null : before + change
}

/** Current balances; where those are of later blocks (above a gap, or replaced by a reorg), the ones before `height`. */
async function storedBefore(database: Database, addresses: readonly Hex[], height: number) {
  const current = [...(await nativeBalancesOf(database, addresses)).values()]
  const later = current.filter((row) => row.height >= height).map(({ address }) => address)
  if (later.length === 0) return current
  const before = await nativeBalancesBefore(database, later, height)
  return [...current.filter((row) => row.height < height), ...before.values()]
}

/**
 * The addresses whose balance is read from the node at a block: those that the block does not determine, and a few others as a check.
 * The choice depends on the block alone, so that indexing twice gives the same rows.
 */
function addressesToCheck({ block, nativeChanges, participants }: DerivedBlock, samples: number): Hex[] {
  if (nativeChanges === null) return [...participants]
  const changed = [...nativeChanges.keys()]
  const picked = new Set<Hex>()
  // The reward of a mined block is in no transaction.
  if (block.difficulty > 0n && block.height > 0) picked.add(block.miner)
  const first = Number.parseInt(block.hash.slice(2, 10), 16)
  const step = Math.max(1, Math.floor(changed.length / Math.max(1, samples)))
  for (let i = 0; i < Math.min(samples, changed.length); i++) picked.add(changed[(first + i * step) % changed.length]!)
  return [...picked]
}
