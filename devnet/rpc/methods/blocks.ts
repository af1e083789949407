// Blocks and their counts.
import { toQuantity } from '../../../src/chain/bytes/hex.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { blockWithHashes, blockWithTransactions, headerOf, receiptsOf } from '../block-view.ts'
import { headerNotFound } from '../failures.ts'
import { method } from '../method.ts'
import { block, flag, hash, requiredBlock, smallQuantity } from '../params.ts'

const full = flag.nullish()

export const blockMethods = {
  eth_blockNumber: method({ block }, ({ chain }, args) => {
    const found = findBlock(chain, args.block)
    if (found === null) throw headerNotFound()
    return toQuantity(found.header.number)
  }),

  eth_getBlockByNumber: method({ block: requiredBlock, full }, ({ chain }, args) =>
    view(findBlock(chain, args.block), args.full === true ? blockWithTransactions : blockWithHashes),
  ),
  eth_getBlockByHash: method({ hash, full }, ({ chain }, args) =>
    view(chain.blockByHash(args.hash), args.full === true ? blockWithTransactions : blockWithHashes),
  ),
  eth_getHeaderByNumber: method({ block: requiredBlock }, ({ chain }, args) =>
    view(findBlock(chain, args.block), headerOf),
  ),
  eth_getHeaderByHash: method({ hash }, ({ chain }, args) => view(chain.blockByHash(args.hash), headerOf)),
  eth_getBlockReceipts: method({ block: requiredBlock }, ({ chain }, args) =>
    view(findBlock(chain, args.block), receiptsOf),
  ),

  eth_getBlockTransactionCountByNumber: method({ block: requiredBlock }, ({ chain }, args) =>
    view(findBlock(chain, args.block), transactionCount),
  ),
  eth_getBlockTransactionCountByHash: method({ hash }, ({ chain }, args) =>
    view(chain.blockByHash(args.hash), transactionCount),
  ),

  // There have been no uncles since the merge.
  eth_getUncleCountByBlockNumber: method({ block: requiredBlock }, ({ chain }, args) =>
    view(findBlock(chain, args.block), () => '0x0'),
  ),
  eth_getUncleCountByBlockHash: method({ hash }, ({ chain }, args) => view(chain.blockByHash(args.hash), () => '0x0')),
  eth_getUncleByBlockNumberAndIndex: method({ block: requiredBlock, index: smallQuantity }, () => null),
  eth_getUncleByBlockHashAndIndex: method({ hash, index: smallQuantity }, () => null),
}

function view<T>(found: ChainBlock | null, show: (block: ChainBlock) => T): T | null {
  return found === null ? null : show(found)
}

function transactionCount({ transactions }: ChainBlock) {
  return toQuantity(transactions.length)
}
