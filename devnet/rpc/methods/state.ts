// State of an account after a block.

import { z } from 'zod'
import {
  addressToHex,
  bigintToBytes,
  bytesToHex,
  EMPTY_BYTES,
  toQuantity,
  wordToHex,
} from '../../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../../src/chain/bytes/keccak.ts'
import { decodeAccount, EMPTY_ACCOUNT } from '../../../src/chain/trie/account.ts'
import { trieGet, trieProof, trieRoot } from '../../../src/chain/trie/trie.ts'
import { stateIsGone, stateOf } from '../block-lookup.ts'
import { executingMethod, method } from '../method.ts'
import { address, block, slot } from '../params.ts'

const MAX_PROVEN_SLOTS = 1_024

/** The answer repeats the key as the client spelled it. */
const provenSlot = z.string().transform((text, context) => {
  const parsed = slot.safeParse(text)
  if (parsed.success) return { text, key: parsed.data }
  context.addIssue({ code: 'custom', message: 'must be a storage position of at most 32 bytes' })
  return z.NEVER
})

export const stateMethods = {
  eth_getBalance: method({ address, block }, ({ chain }, args) =>
    toQuantity(stateOf(chain, args.block).source.account(args.address)?.balance ?? 0n),
  ),

  eth_getTransactionCount: method({ address, block }, ({ chain }, args) => {
    if (args.block.type === 'tag' && args.block.tag === 'pending') return toQuantity(chain.pool.nextNonce(args.address))
    return toQuantity(stateOf(chain, args.block).source.account(args.address)?.nonce ?? 0n)
  }),

  eth_getCode: method({ address, block }, ({ chain }, args) => {
    const { source } = stateOf(chain, args.block)
    if (chain.hasProgram(args.address)) return '0x'
    const account = source.account(args.address)
    return bytesToHex((account && source.code(args.address, account.codeHash)?.bytes) ?? EMPTY_BYTES)
  }),

  eth_getStorageAt: method({ address, position: slot, block }, ({ chain }, args) =>
    wordToHex(stateOf(chain, args.block).source.storage(args.address, args.position) ?? 0n),
  ),
}

const keys = z.array(provenSlot).max(MAX_PROVEN_SLOTS)

/** Executes nothing, but a trie of the past takes long to rebuild. */
export const proofMethods = {
  eth_getProof: executingMethod({ address, keys, block }, function* (chain, args) {
    const state = stateOf(chain, args.block)
    const trie = chain.trieAt(state.at)
    if (trie === null) throw stateIsGone(state.block)
    const addressKey = keccak256(bigintToBytes(args.address, 20))
    const encoded = trieGet(trie.accounts, addressKey)
    const { nonce, balance, codeHash } = encoded === null ? EMPTY_ACCOUNT : decodeAccount(encoded)
    const storage = trie.storageOf(args.address)
    return {
      address: addressToHex(args.address),
      accountProof: trieProof(trie.accounts, addressKey).map(bytesToHex),
      balance: toQuantity(balance),
      codeHash: bytesToHex(codeHash),
      nonce: toQuantity(nonce),
      storageHash: bytesToHex(trieRoot(storage)),
      storageProof: args.keys.map(({ text, key }) => ({
        key: text,
        value: toQuantity(state.source.storage(args.address, key) ?? 0n),
        proof: trieProof(storage, keccak256(bigintToBytes(key, 32))).map(bytesToHex),
      })),
    }
  }),
}
