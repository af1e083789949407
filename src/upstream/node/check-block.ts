// Does what a node says of a block add up? Everything the header commits to is recomputed: transactions, receipts, blooms, gas,
// withdrawals, and the header itself. Pure; what does not fit is a `BadAnswer` that says where.

import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { EMPTY_LIST_HASH, EMPTY_ROOT, keccak256 } from '../../chain/bytes/keccak.ts'
import { RlpError } from '../../chain/bytes/rlp.ts'
import { encodeBlock, transactionsRoot } from '../../chain/codec/block.ts'
import { type BlockTransaction, FOREIGN, isForeign } from '../../chain/codec/foreign-transaction.ts'
import { headerHash } from '../../chain/codec/header.ts'
import { frontierSenderOf } from '../../chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../../chain/codec/transaction.ts'
import { encodeTransaction } from '../../chain/codec/transaction-codec.ts'
import { withdrawalsRoot } from '../../chain/codec/withdrawal.ts'
import { type BlockFromRpc, blockFromRpc } from '../../chain/rpc/block-from-rpc.ts'
import { asObject, numberOf, RpcFieldError } from '../../chain/rpc/fields.ts'
import { checkedReceipts } from './check-receipts.ts'
import { BadAnswer } from './failures.ts'
import type { NodeBlock } from './node-block.ts'

/** The header's hash is not what the node says. Either is wrong: the node, or our idea of the header. */
export class HeaderMismatch extends BadAnswer {
  readonly height: number
  readonly hash: Hex
  /** Names of the fields that the node gives its blocks. */
  readonly shape: string

  constructor(height: number, hash: Hex, shape: string) {
    super(`the header of block ${height} does not hash to ${hash}`)
    this.height = height
    this.hash = hash
    this.shape = shape
  }
}

export type CheckedBlock = Omit<NodeBlock, 'traces' | 'noTracesReason' | 'unreadTraces'>

export type BlockExpectation = {
  readonly height: number
  /** Of which headers the hash cannot be recomputed. */
  readonly isStrangeShape: (shape: string) => boolean
  /** How many senders are recovered, which costs as much as all other checks together. Nothing else hangs on them. */
  readonly senderSample: number
  /** As in the profile of the node. */
  readonly isOpWithoutDeposits?: boolean
}

export function checkedBlock(
  raw: { readonly block: unknown; readonly receipts: unknown },
  expected: BlockExpectation,
): CheckedBlock {
  const block = readable(() => blockFromRpc(raw.block))
  const { hash, header, uncles, withdrawals = [] } = block
  if (header.number !== expected.height) throw new BadAnswer(`block ${expected.height} says it is ${header.number}`)
  const shape = shapeOf(raw.block)
  const isStrange = expected.isStrangeShape(shape)
  if (!isStrange && headerHash(header) !== hash) throw new HeaderMismatch(header.number, hash, shape)
  const transactions = checkedTransactions(block, expected.senderSample)
  checkUncles(block)
  checkWithdrawals(block)
  const reportedSize = readable(() => numberOf(asObject(raw.block, 'block'), 'size'))
  return {
    hash,
    header,
    timestampMs: block.timestampMs,
    size: isStrange || uncles.length > 0 ? reportedSize : (blockSize(block, transactions) ?? reportedSize),
    isOp: expected.isOpWithoutDeposits === true || transactions[0]?.transaction.type === DEPOSIT,
    transactions,
    uncles,
    withdrawals,
    receipts: readable(() => checkedReceipts(raw.receipts, { hash, header, transactions, isStrange })),
    unknownFields: block.unknownFields,
    unknownTransactionFields: block.transactions.map(({ unknownFields }) => unknownFields),
  }
}

/** Undefined where a transaction cannot be encoded. */
function blockSize(
  { header, withdrawals }: BlockFromRpc,
  transactions: readonly BlockTransaction[],
): number | undefined {
  const raws = encodings(transactions)
  if (raws === undefined) return undefined
  return encodeBlock({ header, transactions: raws, uncles: [], ...(withdrawals && { withdrawals }) }).length
}

export function shapeOf(block: unknown): string {
  return Object.keys(asObject(block, 'block')).sort().join()
}

/** A field that cannot be read is a bad answer like any other. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof RpcFieldError || cause instanceof RlpError) throw new BadAnswer(cause.message, { cause })
    throw cause
  }
}

/** The root commits to the bytes of all transactions, so one of an unknown type leaves the root unchecked. */
function checkedTransactions({ header, transactions }: BlockFromRpc, senderSample: number): BlockTransaction[] {
  const checked = transactions.map(({ hash, from, transaction }): BlockTransaction => {
    if (transaction.type === FOREIGN) return { transaction, raw: undefined, hash, from }
    const raw = encodeTransaction(transaction)
    if (bytesToHex(keccak256(raw)) !== hash) throw new BadAnswer(`transaction ${hash} has another hash`)
    return { transaction, raw, hash, from }
  })
  const raws = encodings(checked)
  if (raws !== undefined && transactionsRoot(raws) !== header.transactionsRoot) {
    throw new BadAnswer('the transactions do not give the transactions root')
  }
  const known = checked.filter((item) => !isForeign(item))
  for (const { transaction, from, hash } of sampleOf(known, senderSample)) {
    if (frontierSenderOf(transaction) !== from) throw new BadAnswer(`transaction ${hash} has another sender`)
  }
  return checked
}

/** Undefined where one of them cannot be encoded. */
function encodings(transactions: readonly BlockTransaction[]): Uint8Array[] | undefined {
  const raws = transactions.flatMap(({ raw }) => (raw === undefined ? [] : [raw]))
  return raws.length === transactions.length ? raws : undefined
}

function sampleOf<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items
  return Array.from({ length: count }, () => items[Math.floor(Math.random() * items.length)]!)
}

/** A node reports only the hashes of uncles, so their list can be checked only for being empty. */
function checkUncles({ header, uncles }: BlockFromRpc): void {
  const isEmpty = header.sha3Uncles === bytesToHex(EMPTY_LIST_HASH)
  if (isEmpty !== (uncles.length === 0)) throw new BadAnswer('the uncles do not fit their hash')
}

/** OP chains have no withdrawals and store another root in the field; a block of theirs begins with a deposit, or is genesis. */
function checkWithdrawals({ header, transactions, withdrawals }: BlockFromRpc): void {
  if (header.withdrawalsRoot === undefined) return
  if (withdrawals === undefined || withdrawals.length === 0) {
    const isOp = header.number === 0 || transactions[0]?.transaction.type === DEPOSIT
    if (isOp || header.withdrawalsRoot === bytesToHex(EMPTY_ROOT)) return
    throw new BadAnswer('withdrawals are missing')
  }
  if (withdrawalsRoot(withdrawals) !== header.withdrawalsRoot) {
    throw new BadAnswer('the withdrawals do not give the withdrawals root')
  }
}
