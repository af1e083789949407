// Compares what the pending chain executed with what the node has for the same block.
import { expect } from 'vitest'
import { rpc } from '../../test/support/devnet.ts'
import { addressToHex, bytesToHex, EMPTY_BYTES, type Hex, toQuantity, wordToHex } from '../chain/bytes/hex.ts'
import { blockToRpc, receiptToRpc, transactionToRpc } from '../chain/rpc/to-rpc.ts'
import type { Node } from '../upstream/node/node.ts'
import type { PendingState } from './executor.ts'
import { type PendingBlock, sizeOf } from './pending-block.ts'

/** Everything the block changed, asked at the canonical block; gives how much that was. */
export async function expectCanonicalState(
  node: Node,
  { changes, source }: PendingState,
  blockHash: Hex,
): Promise<number> {
  const at = { blockHash }
  const addresses = [...new Set([...changes.accounts.keys(), ...changes.slots.keys()])]
  const slots = [...changes.slots].flatMap(([address, values]) =>
    [...values.keys()].map((slot) => [address, slot] as const),
  )
  const answers = await node.batch([
    ...addresses.flatMap((address) =>
      ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
        method,
        params: [addressToHex(address), at],
      })),
    ),
    ...slots.map(([address, slot]) => ({
      method: 'eth_getStorageAt',
      params: [addressToHex(address), wordToHex(slot), at],
    })),
  ])
  const ours = [
    ...addresses.flatMap((address) => {
      const account = source.account(address)
      const code = account ? source.code(address, account.codeHash)!.bytes : EMPTY_BYTES
      return [toQuantity(account?.balance ?? 0n), toQuantity(account?.nonce ?? 0n), bytesToHex(code)]
    }),
    ...slots.map(([address, slot]) => wordToHex(source.storage(address, slot)!)),
  ]
  expect(ours).toEqual(answers.map((answer) => answer.type === 'result' && answer.result))
  return ours.length
}

/** The block and its receipts as a full node shows them. */
export async function expectCanonicalView(url: string, block: PendingBlock): Promise<void> {
  const { header, hash, transactions } = block
  const inclusion = (transactionIndex: number) => ({
    blockHash: hash,
    blockNumber: header.number,
    blockTimestamp: header.timestamp,
    transactionIndex,
    baseFeePerGas: header.baseFeePerGas!,
  })
  const receipts = transactions.map(({ recovered, outcome }, i) =>
    receiptToRpc(recovered, outcome!.receipt, { ...inclusion(i), ...outcome! }),
  )
  const whole = transactions.map(({ recovered, outcome }, i) =>
    transactionToRpc(recovered, inclusion(i), outcome!.receipt),
  )
  const shown = blockToRpc({ header, hash, size: sizeOf(block), transactions: whole, withdrawals: [] })
  expect(receipts).toEqual(await rpc(url, 'eth_getBlockReceipts', hash))
  expect(shown).toEqual(await rpc(url, 'eth_getBlockByHash', hash, true))
}
