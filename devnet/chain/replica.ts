// A copy of the chain in another thread, which executes calls there. It begins with what the log contains when it is made, and follows
// the chain record by record and flashblock by flashblock.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { StateLayer } from '../../src/evm/state/state-layer.ts'
import type { StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { StateTrie } from '../../src/evm/state/state-trie.ts'
import type { Log } from '../../src/lib/log.ts'
import type { ChainEvent, DevnetChain, ReadableChain } from './chain.ts'
import { decodeChainBlock, decodeStateChanges, encodeBlockRecord } from './chain-record.ts'
import type { ChainBlock } from './included-transaction.ts'
import { loadReplica, type ReplicaStart } from './load-chain.ts'
import { createProtocol } from './protocol.ts'
import { type ChainTip, readableChain } from './readable-chain.ts'
import { trieBack } from './state-history.ts'

export type ReplicaUpdate =
  /** A record of the log. */
  | { readonly type: 'record'; readonly head: Uint8Array; readonly body: Uint8Array }
  /** The open block, encoded as if it were sealed. */
  | { readonly type: 'open'; readonly body: Uint8Array }

export type Replica = { readonly chain: ReadableChain; apply(update: ReplicaUpdate): void }

/** Calls `post` for every change of the chain, until the function that it returns is called. */
export function feedReplica(chain: Pick<DevnetChain, 'on'>, post: (update: ReplicaUpdate) => void): () => void {
  return chain.on((event) => {
    const update = updateOf(event)
    if (update !== null) post(update)
  })
}

function updateOf(event: ChainEvent): ReplicaUpdate | null {
  switch (event.type) {
    case 'record':
      return { type: 'record', ...event.record }
    case 'open':
      return { type: 'open', body: encodeBlockRecord(event.block, event.changes).body }
    default:
      return null
  }
}

type OpenBlock = { readonly block: ChainBlock; readonly changes: StateChanges; readonly state: StateSource }

export function createReplica(start: ReplicaStart, log: Log): Replica {
  const protocol = createProtocol(start.protocol)
  const { blocks, history, ...loaded } = loadReplica(start, protocol, log)
  let { trie } = loaded
  let open: OpenBlock | null = null
  const versions = new Map<Hex, ChainBlock>()
  const headState = () => history.at(blocks.headNumber)!
  const tip: ChainTip = {
    pending: () => open?.block ?? blocks.byNumber(blocks.headNumber)!,
    pendingState: () => open?.state ?? headState(),
    pendingTrie: () => (open === null ? trie : withChanges(trie, open.changes)),
    preconfirmed(hash) {
      const index = open?.block.transactions.findIndex(({ recovered }) => recovered.hash === hash) ?? -1
      return open === null || index === -1 ? null : { block: open.block, index }
    },
    flashblock: (hash) => versions.get(hash) ?? null,
    trieAt: (number) => trieBack({ blocks, history }, trie, number),
  }
  return {
    chain: readableChain({ protocol, blocks, history, tip }),
    apply(update) {
      const changes = decodeStateChanges(update.body)
      if (update.type === 'open') {
        const block = decodeChainBlock(protocol, update.body)
        const state = new StateLayer(headState())
        state.apply(changes)
        open = { block, changes, state }
        versions.set(block.hash, block)
        return
      }
      open = null
      versions.clear()
      const head = blocks.add(update)
      if (head.type === 'block') history.append(changes)
      else history.rewind(head.number, changes)
      // A fork, because a call that pauses may still read the trie before.
      trie = withChanges(trie, changes)
    },
  }
}

function withChanges(trie: StateTrie, changes: StateChanges): StateTrie {
  const fork = trie.fork()
  fork.apply(changes)
  return fork
}
