// The interface of the devnet's chain for the RPC server. Every method answers synchronously, so an answer made without an `await` in
// between shows one moment. A state source of a block stays right while blocks are added, and throws `StateGone` when its state is no
// longer available; the state of `pending` and tries are live: use them immediately.

import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { Header } from '../../src/chain/codec/header.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import type { EncodedRecord } from './chain-record.ts'
import type { FlashblockMessage } from './flashblock-message.ts'
import type { ChainBlock } from './included-transaction.ts'
import type { ReplicaStart } from './load-chain.ts'
import type { Pool } from './pool.ts'

export type DevnetChain = {
  readonly chainId: bigint
  readonly pool: Pool

  // Blocks

  /** Newest canonical block. */
  head(): ChainBlock
  /** Heights of the tags; `earliest` is 0. */
  safeNumber(): number
  finalizedNumber(): number
  /** The open block as its last flashblock left it; the head between a manual `seal` and the next `step`. */
  pending(): ChainBlock
  blockByNumber(number: number): ChainBlock | null
  /** Canonical blocks, and the open one by the hash of any of its flashblocks (as it was then). */
  blockByHash(hash: Hex): ChainBlock | null
  /** Works without reading the block, whatever its age; null above the head. */
  hashOf(number: number): Hex | null
  /** The bloom of a block's logs, equally cheap: if `mayContain` says no, the block need not be read. */
  bloomOf(number: number): Uint8Array | null
  /** Searches the canonical blocks, the open block and the pool, in this order. */
  transaction(hash: Hex): FoundTransaction | null

  // State

  /** Null: not available, being older than `historyBlocks` of the protocol or above the head. `pending` goes with `pending()`. */
  stateAt(at: StateTag): StateSource | null
  /** For proofs: `trieProof(trie.accounts, …)`, `trieProof(trie.storageOf(address), …)`. Null as for `stateAt`. */
  trieAt(at: StateTag): StateTrie | null
  /** Whether the node itself runs something at this address, which has no code. */
  hasProgram(address: bigint): boolean
  /** The block environment of calls on the state after a block. */
  envOf(header: Header): BlockEnv
  /**
   * For traces: the world right before transaction `index` of a block. Execute that transaction and later ones on it. Null as for
   * `stateAt`, and for a block that is no longer canonical.
   */
  worldBefore(block: ChainBlock, index: number): Replay | null
  /** Base fee of the block after the head. */
  nextBaseFee(): bigint

  // Input

  /** The deposit will be at the start of the next block. */
  deposit(deposit: DepositRequest): DepositAnswer
  /** Returns a function that removes the listener. Listeners run inside the step that caused the event and must not step themselves. */
  on(listener: (event: ChainEvent) => void): () => void

  // Time

  /** Makes blocks and flashblocks by the clock until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>
  /** Makes the next flashblock by hand; seals the open block first if that has all of its flashblocks. */
  step(): void
  /** Puts what the pool has into the open block, with a last flashblock for it, and seals it. Opens one if there is none. */
  seal(): ChainBlock

  // Faults on demand, for tests

  /** Replaces the last `depth` blocks, `MAX_REORG_DEPTH` at most, by others of the same heights; gives up the open block. */
  reorg(depth: number): void
  /** The next sealed block contains what `rewrite` makes of its preconfirmed transactions (deposits first), executed again. */
  contradictNext(rewrite: Rewrite): void

  /** What a replica of the chain as it is now begins with. */
  replicaStart(): ReplicaStart

  /** Waits for file writes in progress. The chain must be stopped before. */
  close(): Promise<void>
}

/** What methods that execute code need; a replica of the chain offers it in another thread. */
export type ReadableChain = Pick<
  DevnetChain,
  | 'head'
  | 'safeNumber'
  | 'finalizedNumber'
  | 'pending'
  | 'blockByNumber'
  | 'blockByHash'
  | 'hashOf'
  | 'transaction'
  | 'stateAt'
  | 'trieAt'
  | 'envOf'
  | 'worldBefore'
>

export type StateTag = number | 'pending'

export type FoundTransaction =
  | { readonly type: 'included'; readonly block: ChainBlock; readonly index: number }
  | { readonly type: 'preconfirmed'; readonly block: ChainBlock; readonly index: number }
  | { readonly type: 'waiting'; readonly recovered: RecoveredTransaction }

export type Replay = { readonly world: WorldState; readonly env: BlockEnv; readonly gasUsedBefore: bigint }

export type DepositRequest = {
  readonly from: bigint
  readonly to: bigint | null
  readonly mint: bigint
  readonly value: bigint
  readonly gasLimit: bigint
  readonly data: Uint8Array
}

export type DepositAnswer =
  | { readonly type: 'queued'; readonly hash: Hex }
  | { readonly type: 'refused'; readonly message: string }

export type ChainEvent =
  /** `added` oldest first, its last is the head; `removed` newest first, and empty but for a reorg. */
  | { readonly type: 'head'; readonly added: readonly ChainBlock[]; readonly removed: readonly ChainBlock[] }
  | { readonly type: 'pendingTransaction'; readonly recovered: RecoveredTransaction }
  | { readonly type: 'flashblock'; readonly message: FlashblockMessage }
  // For replicas
  /** The log has one record more; this comes before the `head` that it leads to. */
  | { readonly type: 'record'; readonly record: EncodedRecord }
  /** The open block after a flashblock, and the changes of the state since the head, which later flashblocks add to. */
  | { readonly type: 'open'; readonly block: ChainBlock; readonly changes: StateChanges }

/** Chooses the transactions of the sealed block from the preconfirmed ones; one that cannot run at its position is left out. */
export type Rewrite = (preconfirmed: readonly RecoveredTransaction[]) => readonly RecoveredTransaction[]
