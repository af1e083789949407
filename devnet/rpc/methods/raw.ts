// debug_getRaw*: blocks, transactions and receipts in their canonical encoding.

import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { encodeBlock } from '../../../src/chain/codec/block.ts'
import { encodeHeader } from '../../../src/chain/codec/header.ts'
import { encodeReceipt } from '../../../src/chain/codec/receipt.ts'
import { serverError } from '../../../src/evm/call/call-failures.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { method } from '../method.ts'
import { type BlockParameter, hash, requiredBlock } from '../params.ts'
import { recoveredOf } from './transactions.ts'

export const rawMethods = {
  debug_getRawHeader: method({ block: requiredBlock }, ({ chain }, { block }) =>
    bytesToHex(encodeHeader(blockOf(chain, block).header)),
  ),
  debug_getRawBlock: method({ block: requiredBlock }, ({ chain }, { block }) => {
    const { header, transactions } = blockOf(chain, block)
    const raws = transactions.map(({ recovered }) => recovered.raw)
    return bytesToHex(encodeBlock({ header, transactions: raws, uncles: [], withdrawals: [] }))
  }),
  debug_getRawReceipts: method({ block: requiredBlock }, ({ chain }, { block }) =>
    blockOf(chain, block).transactions.map(({ receipt }) => bytesToHex(encodeReceipt(receipt))),
  ),
  debug_getRawTransaction: method({ hash }, ({ chain }, args) => {
    const found = chain.transaction(args.hash)
    return found === null ? '0x' : bytesToHex(recoveredOf(found).raw)
  }),
}

function blockOf(chain: DevnetChain, parameter: BlockParameter): ChainBlock {
  const block = findBlock(chain, parameter)
  if (block === null) throw serverError('block not found')
  return block
}
