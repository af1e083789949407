// A flashblock as a message of the feed (§6). Roots, bloom, gas and balances cover the whole block so far; transactions and receipts
// only the new ones.

import { addressToHex, bytesToHex, type Hex, toQuantity, wordToHex } from '../../src/chain/bytes/hex.ts'
import type { Header } from '../../src/chain/codec/header.ts'
import type { Log } from '../../src/chain/codec/log.ts'
import type { Receipt } from '../../src/chain/codec/receipt.ts'
import type { StateChanges, StateSource } from '../../src/evm/state/state-source.ts'
import type { ChainBlock, IncludedTransaction } from './included-transaction.ts'

export type FlashblockMessage = {
  readonly payload_id: Hex
  readonly index: number
  /** Index 0 only. */
  readonly base?: FlashblockBase
  readonly diff: {
    readonly blob_gas_used: Hex
    readonly block_hash: Hex
    readonly gas_used: Hex
    readonly logs_bloom: Hex
    readonly receipts_root: Hex
    readonly state_root: Hex
    readonly transactions: readonly Hex[]
    readonly withdrawals: readonly never[]
    readonly withdrawals_root: Hex
  }
  readonly metadata: {
    readonly block_number: number
    readonly new_account_balances: Readonly<Record<Hex, Hex>>
    readonly receipts: Readonly<Record<Hex, Readonly<Record<string, FlashblockReceipt>>>>
  }
}

export type FlashblockBase = Readonly<
  Record<
    | 'base_fee_per_gas'
    | 'block_number'
    | 'extra_data'
    | 'fee_recipient'
    | 'gas_limit'
    | 'parent_beacon_block_root'
    | 'parent_hash'
    | 'prev_randao'
    | 'timestamp',
    Hex
  >
>

export type FlashblockReceipt = {
  readonly status: Hex
  readonly cumulativeGasUsed: Hex
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
}

export function flashblockMessage(flashblock: {
  payloadId: Hex
  index: number
  /** The whole block so far. */
  block: ChainBlock
  /** The transactions that this flashblock adds. */
  added: readonly IncludedTransaction[]
  /** Since the block before. */
  changes: StateChanges
  /** After this flashblock. */
  state: StateSource
}): FlashblockMessage {
  const { payloadId, index, block, added, changes, state } = flashblock
  const { header, hash } = block
  return {
    payload_id: payloadId,
    index,
    ...(index === 0 && { base: baseOf(header) }),
    diff: {
      blob_gas_used: toQuantity(header.blobGasUsed!),
      block_hash: hash,
      gas_used: toQuantity(header.gasUsed),
      logs_bloom: bytesToHex(header.logsBloom),
      receipts_root: header.receiptsRoot,
      state_root: header.stateRoot,
      transactions: added.map(({ recovered }) => bytesToHex(recovered.raw)),
      withdrawals: [],
      withdrawals_root: header.withdrawalsRoot!,
    },
    metadata: {
      block_number: header.number,
      new_account_balances: balancesOf(changes, state),
      receipts: Object.fromEntries(
        added.map(({ recovered, receipt }) => [recovered.hash, { [TYPE_NAMES[receipt.type]!]: receiptOf(receipt) }]),
      ),
    },
  }
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  0: 'Legacy',
  1: 'Eip2930',
  2: 'Eip1559',
  3: 'Eip4844',
  4: 'Eip7702',
  125: 'Sponsored',
  126: 'Deposit',
}

function baseOf(header: Header): FlashblockBase {
  return {
    base_fee_per_gas: toQuantity(header.baseFeePerGas!),
    block_number: toQuantity(header.number),
    extra_data: bytesToHex(header.extraData),
    fee_recipient: addressToHex(header.miner),
    gas_limit: toQuantity(header.gasLimit),
    parent_beacon_block_root: header.parentBeaconBlockRoot!,
    parent_hash: header.parentHash,
    prev_randao: header.mixHash,
    timestamp: toQuantity(header.timestamp),
  }
}

/** Balances of every account that the block touched, storage changes included. */
function balancesOf({ accounts, slots }: StateChanges, state: StateSource): Record<Hex, Hex> {
  const addresses = new Set([...accounts.keys(), ...slots.keys()])
  return Object.fromEntries(
    Array.from(addresses, (address) => [addressToHex(address), toQuantity(state.account(address)?.balance ?? 0n)]),
  )
}

function receiptOf(receipt: Receipt): FlashblockReceipt {
  return {
    status: toQuantity(receipt.status!),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    logs: receipt.logs.map(logOf),
    ...(receipt.depositNonce !== undefined && { depositNonce: toQuantity(receipt.depositNonce) }),
    ...(receipt.depositReceiptVersion !== undefined && {
      depositReceiptVersion: toQuantity(receipt.depositReceiptVersion),
    }),
  }
}

function logOf({ address, topics, data }: Log) {
  return {
    address: addressToHex(address),
    topics: topics.map(wordToHex),
    data: bytesToHex(data),
  }
}
