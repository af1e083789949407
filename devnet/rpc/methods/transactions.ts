// Transactions and receipts. A preconfirmed transaction looks as if it were waiting: as on a node without Flashblocks, a receipt means
// that `latest` includes the transaction. The open block is at `pending`.
import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import type { FoundTransaction } from '../../chain/chain.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { receiptAt, transactionAt, waitingTransaction } from '../block-view.ts'
import { method } from '../method.ts'
import { hash, requiredBlock, smallQuantity } from '../params.ts'

export const transactionMethods = {
  eth_getTransactionByHash: method({ hash }, ({ chain }, args) => {
    const found = chain.transaction(args.hash)
    if (found?.type === 'included') return transactionAt(found.block, found.index)
    return found === null ? null : waitingTransaction(recoveredOf(found))
  }),
  eth_getRawTransactionByHash: method({ hash }, ({ chain }, args) => {
    const found = chain.transaction(args.hash)
    return found === null ? null : bytesToHex(recoveredOf(found).raw)
  }),
  eth_getTransactionReceipt: method({ hash }, ({ chain }, args) => {
    const found = chain.transaction(args.hash)
    return found?.type === 'included' ? receiptAt(found.block, found.index) : null
  }),

  eth_getTransactionByBlockNumberAndIndex: method({ block: requiredBlock, index: smallQuantity }, ({ chain }, args) =>
    at(findBlock(chain, args.block), args.index),
  ),
  eth_getTransactionByBlockHashAndIndex: method({ hash, index: smallQuantity }, ({ chain }, args) =>
    at(chain.blockByHash(args.hash), args.index),
  ),
  eth_getRawTransactionByBlockNumberAndIndex: method(
    { block: requiredBlock, index: smallQuantity },
    ({ chain }, args) => rawAt(findBlock(chain, args.block), args.index),
  ),
  eth_getRawTransactionByBlockHashAndIndex: method({ hash, index: smallQuantity }, ({ chain }, args) =>
    rawAt(chain.blockByHash(args.hash), args.index),
  ),
}

export function recoveredOf(found: FoundTransaction) {
  return found.type === 'waiting' ? found.recovered : found.block.transactions[found.index]!.recovered
}

function at(block: ChainBlock | null, index: number) {
  return block === null ? null : transactionAt(block, index)
}

function rawAt(block: ChainBlock | null, index: number) {
  const included = block?.transactions[index]
  return included === undefined ? null : bytesToHex(included.recovered.raw)
}
