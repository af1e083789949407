// Derives rows from one block alone: block, receipts and traces in, rows out. Pure. What needs earlier blocks or the node (balances, token
// metadata, which addresses are contracts) is only named by it; `complete/complete.ts` adds it.
import { bytesToHex, type Hex, wordToHex } from '../../chain/bytes/hex.ts'
import { FOREIGN, isForeign } from '../../chain/codec/foreign-transaction.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { unknownFieldsText } from '../../chain/rpc/unknown-fields.ts'
import { burntOf, type FeeBlock, feeOf } from '../../chain/rules/fee-split.ts'
import { type ChangedTransaction, nativeChanges } from '../../chain/trace/native-changes.ts'
import { addInternalRows, asNumber } from '../../store/schema/internal-rows.ts'
import { positionOf } from '../../store/schema/position.ts'
import type { BlockRow, BlockRows, ContractRow, InternalRow, LogRow, UnseenMoveRow } from '../../store/schema/rows.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import { addressText } from './address-text.ts'
import { createdContracts } from './created-contracts.ts'

import { participantsOf } from './participants.ts'
import { traceGapsOf } from './trace-gaps.ts'
import { transactionRows } from './transaction-rows.ts'
import { type DerivedTransfers, transferRows } from './transfer-rows.ts'

export type DerivedBlock = Pick<
  BlockRows,
  'block' | 'transactions' | 'logs' | 'internals' | 'traceGaps' | 'unseenMoves'
> &
  DerivedTransfers & {
    readonly created: readonly ContractRow[]
    /** Changes of native balances by address; null where calls, or a transaction of an unknown type, may have changed more. */
    readonly nativeChanges: ReadonlyMap<Hex, bigint> | null
    /** Addresses that may be contracts, or whose balance may have changed. */
    readonly participants: ReadonlySet<Hex>
  }

export function deriveBlock(block: NodeBlock): DerivedBlock {
  const { header } = block
  const feeBlock: FeeBlock = {
    miner: header.miner,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    isOp: block.isOp,
  }
  const transactions = transactionRows(block)
  const internals = internalRows(block)
  const transfers = transferRows(block)
  const traceGaps = traceGapsOf(block)
  return {
    ...transfers,
    block: blockRow(block, { feeBlock, internals: internals?.length ?? null, transfers: transfers.transfers }),
    transactions,
    logs: logRows(block),
    internals: internals ?? [],
    traceGaps,
    unseenMoves: unseenMoves(block),
    created: createdContracts(block, transactions),
    nativeChanges:
      block.traces === null || traceGaps.some(({ mayMove }) => mayMove === 1)
        ? null
        : changesByAddress(block, feeBlock, block.traces),
    participants: participantsOf(block, transactions, transfers.transfers),
  }
}

type DerivedCounts = {
  readonly feeBlock: FeeBlock
  readonly internals: number | null
  readonly transfers: BlockRows['transfers']
}

function blockRow(block: NodeBlock, counted: DerivedCounts): BlockRow {
  const { hash, header, timestampMs, size, uncles, transactions, receipts, unknownFields } = block
  const { feeBlock, internals, transfers } = counted
  const paying = receipts.filter((_, index) => transactions[index]!.transaction.type !== DEPOSIT)
  const countOf = (kind: number) => transfers.filter((transfer) => transfer.kind === kind).length
  return {
    height: header.number,
    hash,
    parentHash: header.parentHash,
    timestampMs,
    miner: addressText(header.miner),
    size,
    gasUsed: asNumber(header.gasUsed),
    gasLimit: asNumber(header.gasLimit),
    baseFeePerGas: header.baseFeePerGas ?? null,
    difficulty: header.difficulty,
    nonce: header.nonce,
    extraData: bytesToHex(header.extraData),
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    ommerCount: uncles.length,
    amount: sum(transactions.map(({ transaction }) => transaction.value)),
    totalFee: sum(paying.map(feeOf)),
    burnt: sum(paying.map((fees) => burntOf(fees, feeBlock))),
    reward: 0n,
    maxTip: highest(
      receipts.map((receipt, index) => offeredTip(transactions[index]!, receipt, feeBlock.baseFeePerGas)),
    ),
    transactionCount: transactions.length,
    internalCount: internals,
    token20Count: countOf(20),
    token721Count: countOf(721),
    token1155Count: countOf(1155),
    unknownFields: unknownFieldsText(unknownFields),
  }
}

/** What the sender offers for priority at most. A transaction with one price for all offers what it leaves above the base fee. */
function offeredTip(
  { transaction }: NodeBlock['transactions'][number],
  { effectiveGasPrice }: NodeBlock['receipts'][number],
  baseFee: bigint,
): bigint {
  if (transaction.type === DEPOSIT) return 0n
  return 'maxPriorityFeePerGas' in transaction ? transaction.maxPriorityFeePerGas : effectiveGasPrice - baseFee
}

function logRows({ header, receipts }: NodeBlock): LogRow[] {
  const rows: LogRow[] = []
  for (const [index, { receipt }] of receipts.entries()) {
    const txPos = positionOf(header.number, index)
    for (const { address, topics, data } of receipt.logs) {
      const [topic0 = null, topic1 = null, topic2 = null, topic3 = null] = topics.map(wordToHex)
      rows.push({
        pos: positionOf(header.number, rows.length),
        txPos,
        address: addressText(address),
        topic0,
        topic1,
        topic2,
        topic3,
        data: bytesToHex(data),
      })
    }
  }
  return rows
}

/** A transaction of an unknown type may be paid by an account that neither it nor its receipt nor its calls name. */
function unseenMoves({ header, transactions }: NodeBlock): UnseenMoveRow[] {
  const foreign = transactions.find(isForeign)
  return foreign ? [{ height: header.number, transactionType: foreign.transaction.typeNumber }] : []
}

function changesByAddress(
  { header, transactions, receipts, withdrawals }: NodeBlock,
  feeBlock: FeeBlock,
  traces: NonNullable<NodeBlock['traces']>,
): Map<Hex, bigint> | null {
  const changed: ChangedTransaction[] = []
  for (const [index, { transaction, from }] of transactions.entries()) {
    // Who pays for a transaction of an unknown type, and in what, is not known.
    if (transaction.type === FOREIGN) return null
    changed.push({ transaction, from, fees: receipts[index]!, frame: traces[index]! })
  }
  const isCancun = header.parentBeaconBlockRoot !== undefined
  const changes = new Map<Hex, bigint>()
  for (const [address, wei] of nativeChanges({ ...feeBlock, isCancun, transactions: changed, withdrawals })) {
    changes.set(addressText(address), wei)
  }
  // The reward of a mined block is in no transaction, so the miner's balance may change even if no transaction names it.
  const miner = addressText(header.miner)
  if (header.difficulty > 0n && header.number > 0 && !changes.has(miner)) changes.set(miner, 0n)
  return changes
}

function sum(all: readonly bigint[]): bigint {
  return all.reduce((total, each) => total + each, 0n)
}

function highest(all: readonly bigint[]): bigint {
  let top = 0n
  for (const each of all) if (each > top) top = each
  return top
}

/** Null where the node has no traces. */
export function internalRows({ header: { number: height }, traces }: NodeBlock): InternalRow[] | null {
  if (traces === null) return null
  const rows: InternalRow[] = []
  for (const [index, frame] of traces.entries()) {
    if (frame !== null) addInternalRows(rows, frame, { height, txPos: positionOf(height, index), addressText })
  }
  return rows
}
