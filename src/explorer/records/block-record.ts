import type { Hex } from '../../chain/bytes/hex.ts'
import { quotientFrom } from '../../lib/numbers/decimal.ts'
import type { BlockRow } from '../../store/schema/rows.ts'
import type { ChainNames, Heads } from '../state/chain-context.ts'
import { NATIVE_DECIMALS, nativeUnits } from './parts.ts'

/** An item of E5. */
export function blockListItem(view: BlockView, row: BlockRow) {
  return {
    ...blockFields(view, row),
    avgFee: quotientFrom(row.totalFee, BigInt(row.transactionCount), NATIVE_DECIMALS),
  }
}

/** E9. */
export function blockDetail(view: BlockView, row: BlockRow) {
  return {
    chainFullName: view.names.fullName,
    chainShortName: view.names.shortName,
    ...blockFields(view, row),
    amount: nativeUnits(row.amount),
    txnInternal: row.internalCount === null ? '' : String(row.internalCount),
    merkleRootHash: row.transactionsRoot,
    miner: row.miner,
    difficulty: row.difficulty.toString(),
    difficuity: row.difficulty.toString(),
    nonce: withoutPrefix(row.nonce),
    confirm: String(view.heads.latest - row.height),
    tips: nativeUnits(row.maxTip),
    baseFeePerGas: row.baseFeePerGas === null ? '' : nativeUnits(row.baseFeePerGas),
    unknownFields: row.unknownFields ?? '',
  }
}

type BlockView = { readonly names: ChainNames; readonly heads: Heads }

function blockFields({ names, heads }: BlockView, row: BlockRow) {
  return {
    hash: row.hash,
    height: String(row.height),
    validator: row.miner,
    blockTime: String(row.timestampMs),
    txnCount: String(row.transactionCount),
    blockSize: String(row.size),
    mineReward: nativeUnits(row.reward),
    totalFee: nativeUnits(row.totalFee),
    feeSymbol: names.symbol,
    ommerBlock: String(row.ommerCount),
    gasUsed: String(row.gasUsed),
    gasLimit: String(row.gasLimit),
    gasAvgPrice: quotientFrom(row.totalFee, BigInt(row.gasUsed), NATIVE_DECIMALS),
    state: blockState(heads, row.height),
    burnt: nativeUnits(row.burnt),
  }
}

function blockState({ safe }: Heads, height: number): string {
  if (safe === null) return ''
  return height <= safe ? 'done' : 'pending'
}

function withoutPrefix(hex: Hex): string {
  return hex.slice(2)
}
