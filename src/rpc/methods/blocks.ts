// Blocks, their headers and receipts, and the number of transactions in them.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { blockWithHashes, blockWithTransactions, headerOf, receiptsText } from '../state/block-json.ts'
import {
  type AtNode,
  type BlockLocation,
  headHash,
  isTip,
  locateBlock,
  locateByHash,
  type OptionalBlock,
} from '../state/locate-block.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

export const blockMethods: Pick<
  RpcHandlers,
  | 'eth_blockNumber'
  | 'eth_getBlockByHash'
  | 'eth_getBlockByNumber'
  | 'eth_getHeaderByHash'
  | 'eth_getHeaderByNumber'
  | 'eth_getBlockReceipts'
  | 'eth_getBlockTransactionCountByNumber'
  | 'eth_getBlockTransactionCountByHash'
> = {
  async eth_blockNumber(scope, [block]) {
    const { canonical, tip } = scope.view.snapshot
    if (isTip(scope, block)) return toQuantity(tip!.header.number)
    if (!isHeadTag(block)) return numberAt(scope, await locateBlock(scope, block))
    if (tip !== null) return toQuantity(canonical!.height)
    const head = await headHash(scope)
    return head === undefined ? scope.ask('eth_blockNumber', []) : numberAt(scope, locateByHash(scope, head))
  },

  eth_getBlockByHash: (scope, [hash, full]) => blockAt(scope, locateByHash(scope, hash), full),
  eth_getBlockByNumber: async (scope, [block, full]) => blockAt(scope, await locateBlock(scope, block), full),

  eth_getHeaderByHash: (scope, [hash]) => headerAt(scope, locateByHash(scope, hash)),
  eth_getHeaderByNumber: async (scope, [block]) => headerAt(scope, await locateBlock(scope, block)),

  async eth_getBlockReceipts(scope, [block]) {
    const found = await locateBlock(scope, block)
    if (found.type === 'node') return askByBlock(scope, { byHash: 'eth_getBlockReceipts' }, found)
    const receipts = receiptsText(scope.rpc.blockCache, found.block)
    if (receipts !== null) return receipts
    const { number } = found.block.header
    throw serverError(
      `the receipts of block ${number} are not known: ${scope.view.problem ?? 'it is not executed yet'}`,
    )
  },

  eth_getBlockTransactionCountByNumber: async (scope, [block]) => countAt(scope, await locateBlock(scope, block)),
  eth_getBlockTransactionCountByHash: (scope, [hash]) => countAt(scope, locateByHash(scope, hash)),
}

function blockAt(scope: Scope, found: BlockLocation, full: boolean): unknown {
  if (found.type === 'known') {
    const { blockCache } = scope.rpc
    return full ? blockWithTransactions(blockCache, found.block) : blockWithHashes(blockCache, found.block)
  }
  return askByBlock(scope, { byHash: 'eth_getBlockByHash', byNumber: 'eth_getBlockByNumber' }, found, full)
}

function headerAt(scope: Scope, found: BlockLocation): unknown {
  if (found.type === 'known') return headerOf(found.block)
  return askByBlock(scope, { byHash: 'eth_getHeaderByHash', byNumber: 'eth_getHeaderByNumber' }, found)
}

function countAt(scope: Scope, found: BlockLocation): unknown {
  if (found.type === 'known') return toQuantity(found.block.transactions.length)
  const methods = {
    byHash: 'eth_getBlockTransactionCountByHash',
    byNumber: 'eth_getBlockTransactionCountByNumber',
  }
  return askByBlock(scope, methods, found)
}

/** Asks by hash or by number, whichever the block is known by. Only an answer by hash can be cached. */
export function askByBlock(
  scope: Scope,
  { byHash, byNumber = byHash }: { readonly byHash: string; readonly byNumber?: string },
  { at }: AtNode,
  ...rest: readonly unknown[]
): Promise<unknown> {
  if (typeof at === 'string') return scope.ask(byNumber, [at, ...rest])
  return scope.askCached(byHash, [at.blockHash, ...rest])
}

async function numberAt(scope: Scope, found: BlockLocation): Promise<Hex> {
  if (found.type === 'known') return toQuantity(found.block.header.number)
  const { at } = found
  const block = await (typeof at === 'string'
    ? scope.ask('eth_getBlockByNumber', [at, false])
    : scope.ask('eth_getBlockByHash', [at.blockHash, false]))
  if (block === null) throw serverError('header not found')
  return (block as { number: Hex }).number
}

function isHeadTag(block: OptionalBlock): boolean {
  return !block || (block.type === 'tag' && (block.tag === 'latest' || block.tag === 'pending'))
}
