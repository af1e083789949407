// A message of the feed to ours: transactions decoded, their senders recovered (here, and nowhere again), receipts in the order of
// the transactions whichever shape they came in.

import {
  fromQuantity,
  fromQuantityToNumber,
  type Hex,
  HexError,
  hexToAddress,
  hexToBytes,
} from '../../chain/bytes/hex.ts'
import { RlpError } from '../../chain/bytes/rlp.ts'
import { BLOOM_BYTES } from '../../chain/codec/bloom.ts'
import type { Flashblock, FlashblockBase, FlashblockTotals } from '../../chain/codec/flashblock.ts'
import {
  InvalidSignature,
  type RecoveredTransaction,
  recoverTransaction,
} from '../../chain/codec/recovered-transaction.ts'
import type { FlashblockMessage } from '../../contract/flashblock.ts'
import { touchedFromAccessList } from './read-access-list.ts'
import { receiptsFromFeed } from './read-receipts.ts'

export type ReadFlashblock = Flashblock | { readonly unreadable: string }

export function readFlashblock(message: FlashblockMessage): ReadFlashblock {
  try {
    return flashblockOf(message)
  } catch (error) {
    if (error instanceof HexError || error instanceof RlpError || error instanceof InvalidSignature) {
      return { unreadable: error.message }
    }
    throw error
  }
}

function flashblockOf({ base, diff, index, metadata, payload_id }: FlashblockMessage): Flashblock {
  const transactions = diff.transactions.map((raw) => recoverTransaction(hexToBytes(raw)))
  const height = metadata.block_number
  const readBase = index === 0 && base ? baseOf(base) : null
  if (readBase !== null && readBase.number !== height) {
    throw new HexError(`is no base of block ${height}`, base!.block_number)
  }
  return {
    payloadId: lowerHex(payload_id),
    index,
    height,
    base: readBase,
    totals: totalsOf(diff),
    transactions,
    receipts: metadata.receipts ? receiptsOf(metadata.receipts, transactions) : null,
    balances: new Map(
      Object.entries(metadata.new_account_balances ?? {}).map(([address, wei]) => [
        hexToAddress(address),
        fromQuantity(wei),
      ]),
    ),
    touched: touchedFromAccessList(metadata.access_list),
  }
}

function baseOf(base: NonNullable<FlashblockMessage['base']>): FlashblockBase {
  return {
    parentHash: lowerHex(base.parent_hash),
    miner: hexToAddress(base.fee_recipient),
    number: fromQuantityToNumber(base.block_number),
    gasLimit: fromQuantity(base.gas_limit),
    timestamp: fromQuantityToNumber(base.timestamp),
    extraData: hexToBytes(base.extra_data),
    mixHash: lowerHex(base.prev_randao),
    baseFeePerGas: fromQuantity(base.base_fee_per_gas),
    parentBeaconBlockRoot: lowerHex(base.parent_beacon_block_root),
  }
}

function totalsOf(diff: FlashblockMessage['diff']): FlashblockTotals {
  const logsBloom = hexToBytes(diff.logs_bloom)
  if (logsBloom.length !== BLOOM_BYTES) throw new HexError(`is no bloom of ${BLOOM_BYTES} bytes`, diff.logs_bloom)
  return {
    blockHash: lowerHex(diff.block_hash),
    stateRoot: lowerHex(diff.state_root),
    receiptsRoot: lowerHex(diff.receipts_root),
    logsBloom,
    gasUsed: fromQuantity(diff.gas_used),
    withdrawalsRoot: lowerHex(diff.withdrawals_root),
    blobGasUsed: fromQuantity(diff.blob_gas_used ?? '0x0'),
  }
}

function receiptsOf(told: Readonly<Record<string, unknown>>, transactions: readonly RecoveredTransaction[]) {
  const byHash = new Map(Object.entries(told).map(([hash, receipt]) => [hash.toLowerCase(), receipt]))
  return receiptsFromFeed(transactions.map(({ hash, transaction }) => [transaction.type, byHash.get(hash)]))
}

function lowerHex(hex: string): Hex {
  return hex.toLowerCase() as Hex
}
