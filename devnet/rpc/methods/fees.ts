// Gas prices: the current suggestion and the fee history.
import { z } from 'zod'
import { type Hex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { DEPOSIT } from '../../../src/chain/codec/transaction.ts'
import { effectiveGasPrice } from '../../../src/chain/rules/transaction-fees.ts'
import { invalidParams } from '../../../src/evm/call/call-failures.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import type { ChainBlock } from '../../chain/included-transaction.ts'
import { findBlock } from '../block-lookup.ts'
import { headerNotFound } from '../failures.ts'
import { method, yieldWhenSliceIsUsed } from '../method.ts'
import { requiredBlock, smallQuantity } from '../params.ts'

/** Blocks are not full, so any tip is enough; an OP node suggests this one. */
export const SUGGESTED_TIP_WEI = 1_000_000n

/** An OP chain has no blobs, so their price is the minimum. */
const BLOB_BASE_FEE = '0x1'

const MAX_HISTORY = 1_024
const MAX_PERCENTILES = 100

const percentiles = z.array(z.number().min(0).max(100)).max(MAX_PERCENTILES).nullish()
/** geth accepts the count in decimal as well. */
const blockCount = z.union([z.int().nonnegative(), smallQuantity], 'must be a number of blocks')

export const feeMethods = {
  eth_gasPrice: method({}, ({ chain }) => toQuantity(chain.nextBaseFee() + SUGGESTED_TIP_WEI)),
  eth_maxPriorityFeePerGas: method({}, () => toQuantity(SUGGESTED_TIP_WEI)),
  eth_blobBaseFee: method({}, () => BLOB_BASE_FEE),

  eth_feeHistory: method({ blockCount, newestBlock: requiredBlock, percentiles }, async ({ chain }, args) => {
    const percentiles = args.percentiles ?? []
    if (percentiles.some((each, at) => each < (percentiles[at - 1] ?? 0))) {
      throw invalidParams('invalid reward percentile: percentiles must rise')
    }
    const newest = findBlock(chain, args.newestBlock)
    if (newest === null) throw headerNotFound()
    // The open block is not history yet.
    const last = Math.min(newest.header.number, chain.head().header.number)
    const first = Math.max(0, last + 1 - Math.min(args.blockCount, MAX_HISTORY))
    const baseFees: bigint[] = []
    const gasUsedRatio: number[] = []
    const reward: Hex[][] = []
    for (let number = first; number <= last; number++) {
      await yieldWhenSliceIsUsed()
      const block = chain.blockByNumber(number)!
      baseFees.push(baseFeeOf(block))
      gasUsedRatio.push(Number(block.header.gasUsed) / Number(block.header.gasLimit))
      reward.push(rewardsOf(block, percentiles).map(toQuantity))
    }
    return {
      oldestBlock: toQuantity(first),
      baseFeePerGas: [...baseFees, baseFeeAfter(chain, last)].map(toQuantity),
      gasUsedRatio,
      baseFeePerBlobGas: [...baseFees, 0n].map(() => BLOB_BASE_FEE),
      blobGasUsedRatio: gasUsedRatio.map(() => 0),
      ...(percentiles.length > 0 && { reward }),
    }
  }),
}

function baseFeeOf({ header }: ChainBlock): bigint {
  return header.baseFeePerGas ?? 0n
}

function baseFeeAfter(chain: DevnetChain, number: number): bigint {
  const next = chain.blockByNumber(number + 1)
  return next === null ? chain.nextBaseFee() : baseFeeOf(next)
}

/** The tips at these percentiles of the block's gas; deposits use gas and pay nothing. */
function rewardsOf(block: ChainBlock, percentiles: readonly number[]): bigint[] {
  const baseFee = baseFeeOf(block)
  const paid = block.transactions
    .map(({ recovered: { transaction }, gasUsed }) => ({
      tip: transaction.type === DEPOSIT ? 0n : effectiveGasPrice(transaction, baseFee) - baseFee,
      gasUsed,
    }))
    .sort((a, b) => Number(a.tip - b.tip))
  const total = paid.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  return percentiles.map((percentile) => {
    let below = 0
    for (const { tip, gasUsed } of paid) {
      below += Number(gasUsed)
      if (below >= (total * percentile) / 100) return tip
    }
    return 0n
  })
}
