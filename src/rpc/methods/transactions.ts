// Transactions and their receipts, by hash and by place.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { receiptAt, transactionAt } from '../state/pending-views.ts'
import { findTransaction } from '../state/recent-blocks.ts'
import { type BlockLocation, locateBlock, locateByHash, type Scope } from '../state/scope.ts'
import { onceKnown } from '../state/value-or-promise.ts'
import { askByBlock } from './blocks.ts'

export const transactionMethods: Pick<
  RpcHandlers,
  | 'eth_getTransactionByHash'
  | 'eth_getRawTransactionByHash'
  | 'eth_getTransactionReceipt'
  | 'eth_getTransactionByBlockNumberAndIndex'
  | 'eth_getTransactionByBlockHashAndIndex'
  | 'eth_getRawTransactionByBlockNumberAndIndex'
  | 'eth_getRawTransactionByBlockHashAndIndex'
> = {
  eth_getTransactionByHash(scope, params) {
    const place = findTransaction(scope.view, params[0] as Hex)
    return place === null ? scope.ask('eth_getTransactionByHash', params) : transactionAt(place.block, place.index)
  },

  eth_getRawTransactionByHash(scope, params) {
    const place = findTransaction(scope.view, params[0] as Hex)
    if (place === null) return scope.ask('eth_getRawTransactionByHash', params)
    return rawAt(place.block, place.index)
  },

  eth_getTransactionReceipt(scope, params) {
    const place = findTransaction(scope.view, params[0] as Hex)
    return place === null ? scope.ask('eth_getTransactionReceipt', params) : receiptAt(place.block, place.index)
  },

  eth_getTransactionByBlockNumberAndIndex: (scope, [block, index], raw) =>
    onceKnown(locateBlock(scope, block), (found) => transactionIn(scope, found, index, raw[1])),
  eth_getTransactionByBlockHashAndIndex: (scope, [hash, index], raw) =>
    transactionIn(scope, locateByHash(scope, hash as Hex), index, raw[1]),

  eth_getRawTransactionByBlockNumberAndIndex: (scope, [block, index], raw) =>
    onceKnown(locateBlock(scope, block), (found) => rawTransactionIn(scope, found, index, raw[1])),
  eth_getRawTransactionByBlockHashAndIndex: (scope, [hash, index], raw) =>
    rawTransactionIn(scope, locateByHash(scope, hash as Hex), index, raw[1]),
}

function transactionIn(scope: Scope, found: BlockLocation, index: number, rawIndex: unknown): unknown {
  if (found.type === 'ours') return transactionAt(found.block, index)
  const methods = {
    byHash: 'eth_getTransactionByBlockHashAndIndex',
    byNumber: 'eth_getTransactionByBlockNumberAndIndex',
  }
  return askByBlock(scope, methods, found, rawIndex)
}

function rawTransactionIn(scope: Scope, found: BlockLocation, index: number, rawIndex: unknown): unknown {
  if (found.type === 'ours') return rawAt(found.block, index)
  const methods = {
    byHash: 'eth_getRawTransactionByBlockHashAndIndex',
    byNumber: 'eth_getRawTransactionByBlockNumberAndIndex',
  }
  return askByBlock(scope, methods, found, rawIndex)
}

function rawAt({ transactions }: PendingBlock, index: number): Hex | null {
  const transaction = transactions[index]
  return transaction === undefined ? null : bytesToHex(transaction.recovered.raw)
}
