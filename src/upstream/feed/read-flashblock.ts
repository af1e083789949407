// A message of the feed to ours: transactions decoded, their senders recovered (nothing later does it again), receipts in the order of
// the transactions whichever shape they came in.

import {
  bytesToBigint,
  bytesToHex,
  fromQuantity,
  fromQuantityToNumber,
  type Hex,
  HexError,
  hexToAddress,
  hexToBytes,
} from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { decodeRlp, RlpError, type RlpItem } from '../../chain/bytes/rlp.ts'
import { BLOOM_BYTES } from '../../chain/codec/bloom.ts'
import type { Flashblock, FlashblockBase, FlashblockTotals, TouchedState } from '../../chain/codec/flashblock.ts'
import { createReceipt, type Receipt } from '../../chain/codec/receipt.ts'
import {
  InvalidSignature,
  type RecoveredTransaction,
  recoverTransaction,
} from '../../chain/codec/recovered-transaction.ts'
import type { TransactionType } from '../../chain/codec/transaction.ts'
import { isOfUnknownType } from '../../chain/codec/transaction-codec.ts'
import { logFromRpc } from '../../chain/rpc/block-from-rpc.ts'
import { asObject, isPresent, listOf, quantityOf, RpcFieldError, type RpcObject } from '../../chain/rpc/fields.ts'
import type { FlashblockMessage } from '../../contract/flashblock.ts'

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
  const raws = diff.transactions.map(hexToBytes)
  const undecoded = raws.some(isOfUnknownType)
    ? raws.map((raw) => ({ raw, hash: bytesToHex(keccak256(raw)) }))
    : undefined
  const transactions = undecoded === undefined ? raws.map(recoverTransaction) : []
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
    undecoded,
    receipts: metadata.receipts && undecoded === undefined ? receiptsOf(metadata.receipts, transactions) : null,
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

function receiptsOf(announced: Readonly<Record<string, unknown>>, transactions: readonly RecoveredTransaction[]) {
  const byHash = new Map(Object.entries(announced).map(([hash, receipt]) => [hash.toLowerCase(), receipt]))
  return receiptsFromFeed(transactions.map(({ hash, transaction }) => [transaction.type, byHash.get(hash)]))
}

function lowerHex(hex: string): Hex {
  return hex.toLowerCase() as Hex
}

/** All of them or null: an incomplete list counts as none. */
export function receiptsFromFeed(
  announced: readonly (readonly [TransactionType, unknown])[],
): readonly Receipt[] | null {
  try {
    return announced.map(([type, receipt]) => receiptOf(type, untagged(asObject(receipt, 'receipt'))))
  } catch (error) {
    if (error instanceof RpcFieldError) return null
    throw error
  }
}

function untagged(receipt: RpcObject): RpcObject {
  const [[, inner] = [], ...others] = Object.entries(receipt)
  return others.length === 0 ? asObject(inner, 'receipt') : receipt
}

function receiptOf(type: TransactionType, receipt: RpcObject): Receipt {
  return createReceipt({
    type,
    status: statusOf(receipt),
    cumulativeGasUsed: quantityOf(receipt, 'cumulativeGasUsed'),
    logs: listOf(receipt, 'logs', logFromRpc),
    ...(isPresent(receipt, 'depositNonce') && { depositNonce: quantityOf(receipt, 'depositNonce') }),
    ...(isPresent(receipt, 'depositReceiptVersion') && {
      depositReceiptVersion: quantityOf(receipt, 'depositReceiptVersion'),
    }),
  })
}

/** Some feeds send it as a boolean. */
function statusOf(receipt: RpcObject): 0 | 1 {
  if (typeof receipt.status === 'boolean') return receipt.status ? 1 : 0
  return quantityOf(receipt, 'status') === 1n ? 1 : 0
}

export function touchedFromAccessList(list: unknown): TouchedState | null {
  if (typeof list !== 'string' || list.length <= 2) return null
  const slots = new Map<bigint, Set<bigint>>()
  try {
    collect(decodeRlp(hexToBytes(list)), slots, 0)
  } catch {
    return null
  }
  return slots.size === 0 ? null : { accounts: new Set(slots.keys()), slots }
}

/** An account is a list that begins with its address, the changes of its storage, and what was only read of it. */
function collect(item: RlpItem, slots: Map<bigint, Set<bigint>>, depth: number): void {
  if (item instanceof Uint8Array || depth > MOST_DEPTH) return
  const [address, changes, reads] = item
  const isAccount = address instanceof Uint8Array && address.length === ADDRESS_BYTES && Array.isArray(changes)
  if (!isAccount) {
    for (const inner of item) collect(inner, slots, depth + 1)
    return
  }
  const keys = slots.get(bytesToBigint(address)) ?? new Set<bigint>()
  for (const change of changes) addSlot(keys, Array.isArray(change) ? change[0] : undefined)
  for (const read of Array.isArray(reads) ? reads : []) addSlot(keys, read)
  slots.set(bytesToBigint(address), keys)
}

function addSlot(keys: Set<bigint>, slot: RlpItem | undefined): void {
  if (slot instanceof Uint8Array && slot.length <= WORD_BYTES) keys.add(bytesToBigint(slot))
}

const ADDRESS_BYTES = 20
const WORD_BYTES = 32
const MOST_DEPTH = 4
