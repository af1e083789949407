// The time of a block in milliseconds. A header counts whole seconds. A chain with several blocks a second reports the milliseconds in the
// field `timestampMs`, or in a system deposit to a contract of its own (Base: the predeploy BaseTime). A value that is not within the
// second of the header is not believed. Order never depends on this time: several blocks may share it.
import { bytesToBigint, fromQuantity, HexError } from '../bytes/hex.ts'
import type { ForeignTransaction } from '../codec/foreign-transaction.ts'
import { DEPOSIT, type Transaction } from '../codec/transaction.ts'
import { numberOf, type RpcObject } from './fields.ts'

type InBlock = { readonly transaction: Transaction | ForeignTransaction }

/** BaseTime: receives the milliseconds in the second deposit of every block. */
export const BASE_TIME = 0x4200000000000000000000000000000000000030n

export function blockTimeMs(raw: RpcObject, transactions: readonly InBlock[]): number {
  const secondMs = numberOf(raw, 'timestamp') * 1000
  return headTimeMs(raw) ?? depositTimeMs(transactions, secondMs) ?? secondMs
}

/** Undefined where the node reports no milliseconds. A header has no transactions to look at. */
export function headTimeMs(raw: RpcObject): number | undefined {
  const value = numeric(raw.timestampMs)
  return value === undefined ? undefined : withinSecond(value, numberOf(raw, 'timestamp') * 1000)
}

function depositTimeMs(transactions: readonly InBlock[], secondMs: number): number | undefined {
  const transaction = transactions[1]?.transaction
  if (transaction?.type !== DEPOSIT || transaction.to !== BASE_TIME) return undefined
  const { data } = transaction
  if (data.length < WORD_BYTES) return undefined
  const value = bytesToBigint(data.subarray(data.length - WORD_BYTES))
  if (value < 1000n) return secondMs + Number(value)
  return withinSecond(Number(value), secondMs)
}

const WORD_BYTES = 32

function withinSecond(valueMs: number, secondMs: number): number | undefined {
  return valueMs >= secondMs && valueMs < secondMs + 1000 ? valueMs : undefined
}

/** Nodes write it as a quantity; a plain number is accepted too. */
function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  try {
    return Number(fromQuantity(value))
  } catch (error) {
    if (error instanceof HexError) return undefined
    throw error
  }
}
