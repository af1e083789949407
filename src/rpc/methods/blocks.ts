// Blocks, and what is counted in them.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { blockWithHashes, blockWithTransactions, countOf, headerOf, receiptsText } from '../state/pending-views.ts'
import {
  type AtNode,
  type BlockLocation,
  headHash,
  isTip,
  locateBlock,
  locateByHash,
  type Scope,
} from '../state/scope.ts'
import { onceKnown } from '../state/value-or-promise.ts'

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
  eth_blockNumber(scope, [block]) {
    const { canonical, tip } = scope.view.snapshot
    if (isTip(scope, block)) return toQuantity(tip!.header.number)
    if (!isHeadTag(block)) return numberAt(scope, locateBlock(scope, block))
    if (tip !== null) return toQuantity(canonical!.height)
    const head = headHash(scope)
    return head === null ? scope.ask('eth_blockNumber', []) : numberAt(scope, locateBlock(scope, block))
  },

  eth_getBlockByHash: (scope, [hash, full]) => blockAt(scope, locateByHash(scope, hash as Hex), full),
  eth_getBlockByNumber: (scope, [block, full]) =>
    onceKnown(locateBlock(scope, block), (found) => blockAt(scope, found, full)),

  eth_getHeaderByHash: (scope, [hash]) => headerAt(scope, locateByHash(scope, hash as Hex)),
  eth_getHeaderByNumber: (scope, [block]) => onceKnown(locateBlock(scope, block), (found) => headerAt(scope, found)),

  eth_getBlockReceipts: (scope, [block]) =>
    onceKnown(locateBlock(scope, block), (found) => {
      if (found.type === 'node') return askByBlock(scope, { byHash: 'eth_getBlockReceipts' }, found)
      const receipts = receiptsText(found.block)
      if (receipts !== null) return receipts
      const { header } = found.block
      throw serverError(
        `the receipts of block ${header.number} are not known: ${scope.view.problem ?? 'it is not executed yet'}`,
      )
    }),

  eth_getBlockTransactionCountByNumber: (scope, [block]) =>
    onceKnown(locateBlock(scope, block), (found) => countAt(scope, found)),
  eth_getBlockTransactionCountByHash: (scope, [hash]) => countAt(scope, locateByHash(scope, hash as Hex)),
}

function blockAt(scope: Scope, found: BlockLocation, full: boolean): unknown {
  if (found.type === 'ours') return full ? blockWithTransactions(found.block) : blockWithHashes(found.block)
  return askByBlock(scope, { byHash: 'eth_getBlockByHash', byNumber: 'eth_getBlockByNumber' }, found, full)
}

function headerAt(scope: Scope, found: BlockLocation): unknown {
  if (found.type === 'ours') return headerOf(found.block)
  return askByBlock(scope, { byHash: 'eth_getHeaderByHash', byNumber: 'eth_getHeaderByNumber' }, found)
}

function countAt(scope: Scope, found: BlockLocation): unknown {
  if (found.type === 'ours') return countOf(found.block)
  const methods = {
    byHash: 'eth_getBlockTransactionCountByHash',
    byNumber: 'eth_getBlockTransactionCountByNumber',
  }
  return askByBlock(scope, methods, found)
}

/** Asks by hash or by number, whichever the block is known by. What a hash stands for stays. */
export function askByBlock(
  scope: Scope,
  { byHash, byNumber = byHash }: { readonly byHash: string; readonly byNumber?: string },
  { at }: AtNode,
  ...rest: readonly unknown[]
): Promise<unknown> {
  if (typeof at === 'string') return scope.ask(byNumber, [at, ...rest])
  return scope.askCached(byHash, [at.blockHash, ...rest])
}

function numberAt(scope: Scope, at: BlockLocation | Promise<BlockLocation>): unknown {
  return onceKnown<BlockLocation, unknown>(at, async (found) => {
    if (found.type === 'ours') return toQuantity(found.block.header.number)
    const method = typeof found.at === 'string' ? 'eth_getBlockByNumber' : 'eth_getBlockByHash'
    const block = await scope.ask(method, [typeof found.at === 'string' ? found.at : found.at.blockHash, false])
    if (block === null) throw serverError('header not found')
    return (block as { number: Hex }).number
  })
}

function isHeadTag(block: Parameters<typeof locateBlock>[1]): boolean {
  return !block || (block.type === 'tag' && (block.tag === 'latest' || block.tag === 'pending'))
}
