// Transactions and their receipts, by hash and by position in a block, and the status of a transaction.
import { bytesToHex, fromQuantityToNumber, type Hex } from '../../chain/bytes/hex.ts'
import { asObject, isPresent, numberOf } from '../../chain/rpc/fields.ts'
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import type { PendingLocation } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { findTransaction } from '../state/block-cache.ts'
import { transactionAt } from '../state/block-json.ts'
import { type BlockLocation, locateBlock, locateByHash } from '../state/locate-block.ts'
import { isNodeSilent } from '../state/node-calls.ts'
import { knownReceipt, receiptOfNode, receiptOfSent } from '../state/receipts.ts'
import type { Scope } from '../state/scope.ts'
import { askByBlock } from './blocks.ts'
import type { RpcHandlers } from './handlers.ts'

export const transactionMethods: Pick<
  RpcHandlers,
  | 'eth_getTransactionByHash'
  | 'eth_getRawTransactionByHash'
  | 'eth_getTransactionReceipt'
  | 'eth_getTransactionByBlockNumberAndIndex'
  | 'eth_getTransactionByBlockHashAndIndex'
  | 'eth_getRawTransactionByBlockNumberAndIndex'
  | 'eth_getRawTransactionByBlockHashAndIndex'
  | 'firstlight_transactionStatus'
> = {
  eth_getTransactionByHash(scope, params) {
    const found = find(scope, params[0])
    return found === null ? scope.ask('eth_getTransactionByHash', params) : transactionAt(found.block, found.index)
  },

  eth_getRawTransactionByHash(scope, params) {
    const found = find(scope, params[0])
    return found === null ? scope.ask('eth_getRawTransactionByHash', params) : rawAt(found.block, found.index)
  },

  eth_getTransactionReceipt(scope, params) {
    const [hash] = params
    return knownReceipt(scope.rpc, scope.view, hash) ?? receiptOfSent(scope, hash) ?? receiptOfNode(scope, params)
  },

  eth_getTransactionByBlockNumberAndIndex: async (scope, [block, index], raw) =>
    transactionIn(scope, await locateBlock(scope, block), index, raw[1]),
  eth_getTransactionByBlockHashAndIndex: (scope, [hash, index], raw) =>
    transactionIn(scope, locateByHash(scope, hash), index, raw[1]),

  eth_getRawTransactionByBlockNumberAndIndex: async (scope, [block, index], raw) =>
    rawTransactionIn(scope, await locateBlock(scope, block), index, raw[1]),
  eth_getRawTransactionByBlockHashAndIndex: (scope, [hash, index], raw) =>
    rawTransactionIn(scope, locateByHash(scope, hash), index, raw[1]),

  firstlight_transactionStatus: (scope, [hash]) => scope.rpc.ledger?.stagesOf(hash) ?? statusNow(scope, hash),
}

function find({ rpc, view }: Scope, hash: Hex): PendingLocation | null {
  return findTransaction(rpc.blockCache, view, hash)
}

function transactionIn(scope: Scope, found: BlockLocation, index: number, rawIndex: unknown): unknown {
  if (found.type === 'known') return transactionAt(found.block, index)
  const methods = {
    byHash: 'eth_getTransactionByBlockHashAndIndex',
    byNumber: 'eth_getTransactionByBlockNumberAndIndex',
  }
  return askByBlock(scope, methods, found, rawIndex)
}

function rawTransactionIn(scope: Scope, found: BlockLocation, index: number, rawIndex: unknown): unknown {
  if (found.type === 'known') return rawAt(found.block, index)
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

/** For a transaction that the ledger does not know: what the pending chain and the node know of it now. */
async function statusNow(scope: Scope, hash: Hex): Promise<unknown> {
  const found = scope.view.snapshot.transaction(hash)
  if (found !== null) {
    const { block, index } = found
    const { flashblockIndex } = block.transactions[index]!
    return {
      hash,
      stage: 'preconfirmed',
      preconfirmed: { height: block.header.number, flashblockIndex, position: index },
    }
  }
  const answer = await scope.ask('eth_getTransactionByHash', [hash])
  if (answer === null) return { hash, stage: 'unknown' }
  const transaction = asObject(answer, 'transaction')
  if (!isPresent(transaction, 'blockNumber')) return { hash, stage: 'seen' }
  const height = numberOf(transaction, 'blockNumber')
  const included = { height, blockHash: transaction.blockHash, position: numberOf(transaction, 'transactionIndex') }
  const [safe, finalized] = await Promise.all([tagHeight(scope, 'safe'), tagHeight(scope, 'finalized')])
  const isPast = (tag: number | undefined): boolean => tag !== undefined && height <= tag
  const stage = isPast(finalized) ? 'finalized' : isPast(safe) ? 'safe' : 'included'
  // It is at least of this stage where the node did not say how far the next one is.
  const isCertain = finalized !== undefined && (safe !== undefined || stage === 'finalized')
  return { hash, stage, included, ...(!isCertain && { stageIsAtLeast: true }) }
}

/** -1, which is below every block, if the node has no such tag; undefined if it does not answer. */
async function tagHeight(scope: Scope, tag: 'safe' | 'finalized'): Promise<number | undefined> {
  try {
    const block = await scope.ask('eth_getBlockByNumber', [tag, false])
    return block === null ? -1 : fromQuantityToNumber(String(asObject(block, 'block').number))
  } catch (error) {
    if (error instanceof JsonRpcError) return isNodeSilent(error) ? undefined : -1
    throw error
  }
}
