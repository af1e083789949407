// Block 0: the genesis state, under a header that depends on the seed.

import { bytesToHex, wordToHex } from '../../src/chain/bytes/hex.ts'
import { EMPTY_LIST_HASH, EMPTY_ROOT } from '../../src/chain/bytes/keccak.ts'
import { encodeBlock } from '../../src/chain/codec/block.ts'
import { EMPTY_BLOOM } from '../../src/chain/codec/bloom.ts'
import { EMPTY_REQUESTS_HASH, type Header, headerHash } from '../../src/chain/codec/header.ts'
import { L2_TO_L1_MESSAGE_PASSER, SEQUENCER_FEE_VAULT } from '../../src/chain/rules/addresses.ts'
import { INITIAL_BASE_FEE } from '../../src/chain/rules/base-fee.ts'
import { trieRoot } from '../../src/chain/trie/trie.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import { StateTrie } from '../../src/evm/state/state-trie.ts'
import { genesisState } from '../genesis/genesis-state.ts'
import type { ChainBlock } from './included-transaction.ts'
import type { Protocol } from './protocol.ts'

export type Genesis = { readonly block: ChainBlock; readonly state: MemoryState }

export function createGenesis(protocol: Protocol, timestamp: number): Genesis {
  const accounts = genesisState({ fork: protocol.fork, ownRules: protocol.ownRules })
  const state = new MemoryState(accounts.map(({ address, ...account }) => [address, account]))
  const trie = trieOf(state)
  const header: Header = {
    ...UNUSED_FIELDS,
    parentHash: wordToHex(0n),
    miner: SEQUENCER_FEE_VAULT,
    stateRoot: bytesToHex(trie.root),
    transactionsRoot: bytesToHex(EMPTY_ROOT),
    receiptsRoot: bytesToHex(EMPTY_ROOT),
    logsBloom: EMPTY_BLOOM,
    number: 0,
    gasLimit: protocol.gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: protocol.extraData,
    // Jovian and Karst begin with the same state, so the fork is part of the hash that a stored chain is recognised by.
    mixHash: protocol.seeded(`genesis of chain ${protocol.chainId} at ${protocol.fork}`),
    baseFeePerGas: INITIAL_BASE_FEE,
    withdrawalsRoot: bytesToHex(trieRoot(trie.storageOf(L2_TO_L1_MESSAGE_PASSER))),
    blobGasUsed: 0n,
    parentBeaconBlockRoot: wordToHex(0n),
  }
  const size = encodeBlock({ header, transactions: [], uncles: [], withdrawals: [] }).length
  return { block: { header, hash: headerHash(header), size, transactions: [] }, state }
}

/** Header fields that this chain does not use but must contain. */
export const UNUSED_FIELDS = {
  sha3Uncles: bytesToHex(EMPTY_LIST_HASH),
  difficulty: 0n,
  nonce: '0x0000000000000000',
  excessBlobGas: 0n,
  requestsHash: EMPTY_REQUESTS_HASH,
} as const satisfies Partial<Header>

/** Builds all tries of a state. */
export function trieOf({ accounts, slots, codes }: MemoryState): StateTrie {
  const trie = new StateTrie()
  trie.apply({ accounts, wiped: new Set(), slots, codes })
  return trie
}
