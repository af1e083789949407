// Runs the transactions of a pending block that have not run yet, on the state that those before them left. The machine does not wait:
// what the state does not know is noted, fetched all at once, and the run begins again.

import type { TouchedState } from '../chain/codec/flashblock.ts'
import type { Header } from '../chain/codec/header.ts'
import { createReceipt, encodeReceipt, type Receipt } from '../chain/codec/receipt.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import {
  BASE_FEE_VAULT,
  BEACON_ROOTS,
  HISTORY_STORAGE,
  L1_BLOCK,
  L1_FEE_VAULT,
  OPERATOR_FEE_VAULT,
} from '../chain/rules/addresses.ts'
import type { Rules } from '../chain/rules/forks.ts'
import type { BlockEnv } from '../evm/core/block-env.ts'
import type { Misses, StateChanges, StateSource } from '../evm/state/state-source.ts'
import { WorldState } from '../evm/state/world-state.ts'
import { beginBlock } from '../evm/transaction/block.ts'
import type { Execution } from '../evm/transaction/execution.ts'
import { executeTransaction } from '../evm/transaction/transaction.ts'
import { changesWith, NO_CHANGES, overlaid, StateUnavailable } from './node-state.ts'
import type { PendingBlock } from './pending-block.ts'

export type ExecutedBlock = {
  readonly block: PendingBlock
  readonly env: BlockEnv
  readonly receipts: readonly Receipt[]
  /** The same in the bytes that the receipts root is over, so that each receipt is encoded once. */
  readonly encodedReceipts: readonly Uint8Array[]
  /** Since the parent. */
  readonly changes: StateChanges
  /** After the block. */
  readonly source: StateSource
}

export type BlockExecution =
  | { readonly type: 'executed'; readonly executed: ExecutedBlock }
  /** A transaction that may not be in a block: either we are wrong or the feed is. */
  | { readonly type: 'refused'; readonly message: string }

export type BlockGround = {
  readonly chainId: bigint
  readonly rules: Rules
  /** After the parent. */
  readonly source: StateSource
  fetch(misses: Partial<Misses>): Promise<void>
  /** What transactions will probably read; null where it is not known. */
  foresee?(transactions: readonly RecoveredTransaction[]): Promise<TouchedState | null>
}

/** `before` is the same block after an earlier flashblock. */
export async function executeBlock(
  ground: BlockGround,
  block: PendingBlock,
  before: ExecutedBlock | null,
): Promise<BlockExecution> {
  const env = envOf(ground, block.header)
  const earlier = before?.changes ?? NO_CHANGES
  const source = sourceAfter(ground.source, block, earlier)
  const added = block.transactions.slice(before?.receipts.length ?? 0).map(({ recovered }) => recovered)
  const ahead = unknownAhead(source, env, block)
  if (ahead !== null) await ground.fetch(ahead)
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const world = new WorldState(source)
    if (before === null) beginBlock(world, env, startOf(block.header))
    const executions = executionsOf(world, env, { added, gasUsedBefore: before?.block.header.gasUsed ?? 0n })
    const misses = world.takeMisses()
    if (misses !== null) {
      // Most transactions need one round. One that needs another finds each storage slot through the one before, and may go on so for long.
      const foreseen = rounds === 1 ? await ground.foresee?.(added) : null
      await ground.fetch(foreseen ? withForeseen(misses, unknownIn(source, foreseen)) : misses)
      continue
    }
    const refusal = executions.find((execution) => execution.type === 'refused')
    if (refusal !== undefined) return refusal
    const changes = changesWith(earlier, world.takeChanges())
    const newReceipts = receiptsOf(added, executions, before?.receipts.at(-1))
    const receipts = [...(before?.receipts ?? []), ...newReceipts]
    const encodedReceipts = [...(before?.encodedReceipts ?? []), ...newReceipts.map(encodeReceipt)]
    return {
      type: 'executed',
      executed: { block, env, receipts, encodedReceipts, changes, source: sourceAfter(ground.source, block, changes) },
    }
  }
  throw new StateUnavailable(`after ${MAX_ROUNDS} rounds the state of block ${block.hash} is still not known`)
}

/** The same block on the same state, as an overlay of its own. */
export function rebased(executed: ExecutedBlock, source: StateSource): ExecutedBlock {
  return {
    ...executed,
    source: sourceAfter(source, executed.block, executed.changes),
  }
}

function sourceAfter(source: StateSource, { header }: PendingBlock, changes: StateChanges): StateSource {
  return overlaid({ source, parent: { height: header.number - 1, hash: BigInt(header.parentHash) } }, changes)
}

function envOf({ chainId, rules }: BlockGround, header: Header): BlockEnv {
  return {
    chainId,
    rules,
    number: header.number,
    timestamp: header.timestamp,
    gasLimit: header.gasLimit,
    coinbase: header.miner,
    baseFee: header.baseFeePerGas ?? 0n,
    // Chains with flashblocks hold no blobs: the price stays at its least.
    blobBaseFee: 1n,
    prevRandao: BigInt(header.mixHash),
  }
}

function startOf({ parentHash, parentBeaconBlockRoot }: Header) {
  return {
    parentHash: BigInt(parentHash),
    parentBeaconRoot: parentBeaconBlockRoot === undefined ? null : BigInt(parentBeaconBlockRoot),
  }
}

function executionsOf(
  world: WorldState,
  env: BlockEnv,
  run: { added: readonly RecoveredTransaction[]; gasUsedBefore: bigint },
): readonly Execution[] {
  let { gasUsedBefore } = run
  return run.added.map((recovered) => {
    const execution = executeTransaction(world, env, recovered, { gasUsedBefore })
    if (execution.type === 'executed') gasUsedBefore += execution.gasUsed
    return execution
  })
}

function receiptsOf(
  added: readonly RecoveredTransaction[],
  executions: readonly Execution[],
  last: Receipt | undefined,
): readonly Receipt[] {
  let cumulativeGasUsed = last?.cumulativeGasUsed ?? 0n
  return executions.flatMap((execution, i) => {
    if (execution.type === 'refused') return []
    const { succeeded, logs, depositNonce, gasUsed } = execution
    cumulativeGasUsed += gasUsed
    return createReceipt({
      type: added[i]!.transaction.type,
      status: succeeded ? 1 : 0,
      cumulativeGasUsed,
      logs,
      ...(depositNonce !== null && { depositNonce, depositReceiptVersion: 1n }),
    })
  })
}

/** What the run will surely ask for: it saves a round for each of sender, recipient and what they touch. */
function unknownAhead(source: StateSource, env: BlockEnv, block: PendingBlock): Partial<Misses> | null {
  const likely = [
    env.coinbase,
    ...(env.rules.op ? OP_ACCOUNTS : []),
    BEACON_ROOTS,
    HISTORY_STORAGE,
    ...block.balances.keys(),
    ...block.transactions.flatMap(({ recovered: { from, transaction } }) => [from, transaction.to ?? from]),
  ]
  const { accounts, slots } = unknownIn(source, {
    accounts: [...likely, ...(block.touched?.accounts ?? [])],
    slots: [...systemSlots(block.header), ...(env.rules.op ? [FEE_SLOTS] : []), ...(block.touched?.slots ?? [])],
  })
  return accounts.size + slots.size === 0 ? null : { accounts, slots }
}

type SlotsOf = readonly [address: bigint, keys: Iterable<bigint>]

function unknownIn(
  source: StateSource,
  { accounts, slots }: { accounts: Iterable<bigint>; slots: Iterable<SlotsOf> },
): TouchedState {
  const unknown = new Map<bigint, Set<bigint>>()
  for (const [address, keys] of slots) {
    const own = [...keys].filter((key) => source.storage(address, key) === undefined)
    if (own.length > 0) unknown.set(address, (unknown.get(address) ?? new Set()).union(new Set(own)))
  }
  return { accounts: new Set([...accounts].filter((address) => source.account(address) === undefined)), slots: unknown }
}

function withForeseen(misses: Misses, { accounts, slots }: TouchedState): Misses {
  return {
    ...misses,
    accounts: misses.accounts.union(accounts),
    slots: new Map(
      [...new Set([...misses.slots.keys(), ...slots.keys()])].map((address) => [
        address,
        (misses.slots.get(address) ?? new Set<bigint>()).union(slots.get(address) ?? new Set()),
      ]),
    ),
  }
}

/** The slots that EIP-4788 and EIP-2935 write at the start of the block. Both are rings, so each block writes another slot. */
function systemSlots({ number, timestamp }: Header): readonly SlotsOf[] {
  const time = BigInt(timestamp % RING)
  return [
    [BEACON_ROOTS, [time, time + BigInt(RING)]],
    [HISTORY_STORAGE, [BigInt((number - 1) % RING)]],
  ]
}

const RING = 8_191
/** A round leads to another only where the code reads a slot whose number it has just read. */
const MAX_ROUNDS = 256
const OP_ACCOUNTS = [BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT, L1_BLOCK]
/** The slots in which L1Block stores the prices. */
const FEE_SLOTS: SlotsOf = [L1_BLOCK, [1n, 3n, 7n, 8n]]
