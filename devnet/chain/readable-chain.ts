// Reading a chain: the canonical blocks and their states, and the open block above them. The chain itself and its replica share it.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { beginBlock } from '../../src/evm/transaction/block.ts'
import type { BlockStore } from './block-store.ts'
import type { FoundTransaction, ReadableChain, Replay } from './chain.ts'
import type { ChainBlock } from './included-transaction.ts'
import { executeAny } from './own-transaction.ts'
import { envOf, type Protocol } from './protocol.ts'
import type { StateHistory } from './state-history.ts'

/** The open block, or the head where none is open. */
export type ChainTip = {
  pending(): ChainBlock
  pendingState(): StateSource
  pendingTrie(): StateTrie
  preconfirmed(hash: Hex): { readonly block: ChainBlock; readonly index: number } | null
  /** The open block as one of its flashblocks left it. */
  flashblock(hash: Hex): ChainBlock | null
  /** The trie after a block that is in the state history. */
  trieAt(number: number): StateTrie
}

export type ReadableParts = {
  readonly protocol: Protocol
  readonly blocks: BlockStore
  readonly history: StateHistory
  readonly tip: ChainTip
}

export function readableChain({ protocol, blocks, history, tip }: ReadableParts): ReadableChain {
  return {
    head: () => blocks.byNumber(blocks.headNumber)!,
    safeNumber: () => Math.max(0, blocks.headNumber - protocol.safeDistance),
    finalizedNumber: () => Math.max(0, blocks.headNumber - protocol.finalizedDistance),
    pending: () => tip.pending(),
    blockByNumber: (number) => blocks.byNumber(number),
    blockByHash: (hash) => blocks.byHash(hash) ?? tip.flashblock(hash),
    hashOf: (number) => blocks.hashOf(number),
    transaction(hash): FoundTransaction | null {
      const included = blocks.findTransaction(hash)
      if (included !== null) return { type: 'included', ...included }
      const preconfirmed = tip.preconfirmed(hash)
      return preconfirmed === null ? null : { type: 'preconfirmed', ...preconfirmed }
    },
    stateAt: (at) => (at === 'pending' ? tip.pendingState() : history.at(at)),
    trieAt(at) {
      if (at === 'pending') return tip.pendingTrie()
      return history.knows(at) ? tip.trieAt(at) : null
    },
    envOf: (header) => envOf(protocol, header),
    worldBefore: (block, index) => worldBefore({ protocol, history }, block, index),
  }
}

/** The world state in the middle of an existing block; null if the state before the block is not available. */
function worldBefore(
  { protocol, history }: Pick<ReadableParts, 'protocol' | 'history'>,
  { header, transactions }: ChainBlock,
  index: number,
): Replay | null {
  const state = history.after(header.parentHash, header.number - 1)
  if (state === null) return null
  const world = new WorldState(state)
  const env = envOf(protocol, header)
  const parentBeaconRoot = BigInt(header.parentBeaconBlockRoot!)
  beginBlock(world, env, { parentHash: BigInt(header.parentHash), parentBeaconRoot })
  let gasUsedBefore = 0n
  for (const { recovered, gasUsed } of transactions.slice(0, index)) {
    executeAny(world, env, recovered, { gasUsedBefore })
    gasUsedBefore += gasUsed
  }
  return { world, env, gasUsedBefore }
}
