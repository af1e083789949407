import type { Hex } from '../../chain/bytes/hex.ts'
import { type HeightRange, positionsWithin } from '../schema/position.ts'
import type { TokenKind, TransferRow } from '../schema/rows.ts'
import { decodeAmount, encodeAmount, hexToStored } from '../schema/table.ts'
import { transfers } from '../schema/tables.ts'
import type { Reader } from './chain-reader.ts'
import {
  childrenAt,
  childrenOfBlock,
  childrenOfTransactions,
  countChildrenOfTransactions,
  type InTransaction,
} from './chain-rows.ts'
import { type ConditionedFrom, countOf, createParameters, keysOf, type Order, type Page } from './page.ts'

export type TokenTransferFilter = HeightRange & {
  readonly token: Hex
  /** Both included. */
  readonly minAmount?: bigint | undefined
  readonly maxAmount?: bigint | undefined
  readonly order?: Order | undefined
}

/** Newest first. Without a filter the token's `transfers` counter is their number. */
export async function tokenTransfers(
  reader: Reader,
  filter: TokenTransferFilter,
  page: Page,
): Promise<InTransaction<TransferRow>[]> {
  return childrenAt(
    reader,
    transfers,
    await keysOf(reader, { key: 'pos', from: ofToken(filter), page, order: filter.order }),
  )
}

export function countTokenTransfers(reader: Reader, filter: TokenTransferFilter): Promise<number> {
  return countOf(reader, ofToken(filter))
}

/** Oldest first, as they happened. Index transfers_transaction. */
export function transfersOfTransactions(
  reader: Reader,
  filter: { positions: readonly number[]; kind?: TokenKind | undefined },
  page: Page,
): Promise<InTransaction<TransferRow>[]> {
  return childrenOfTransactions(reader, transfers, withKind(filter), page)
}

export function countTransfersOfTransactions(
  reader: Reader,
  filter: { positions: readonly number[]; kind?: TokenKind | undefined },
): Promise<number> {
  return countChildrenOfTransactions(reader, transfers, withKind(filter))
}

/** Oldest first; the block's counters are their number. */
export function blockTransfers(
  reader: Reader,
  filter: { height: number; kind: TokenKind; order?: Order },
  page: Page,
): Promise<InTransaction<TransferRow>[]> {
  return childrenOfBlock(reader, transfers, withKind(filter), page)
}

/** The sum of all transfers since a position, for the volume of a day. Walks the index transfers_token in pieces. */
export async function transferredSince(reader: Reader, token: Hex, pos: number): Promise<bigint> {
  let sum = 0n
  let after = pos - 1
  for (;;) {
    const rows = await reader.all<{ pos: number; amount: string }>(
      `select pos, lower(hex(amount)) as amount
       from transfers
       where token = $1 and pos > $2
       order by pos
       limit ${SUMMED_AT_ONCE}`,
      [hexToStored(token), after],
    )
    for (const { amount } of rows) sum += decodeAmount(amount)
    if (rows.length < SUMMED_AT_ONCE) return sum
    after = rows.at(-1)!.pos
  }
}

const SUMMED_AT_ONCE = 5_000

function withKind<F extends { kind?: TokenKind | undefined }>({ kind, ...rest }: F) {
  return {
    ...rest,
    also: kind === undefined ? [] : [`kind = ${kind}`],
  }
}

/** Index transfers_token covers the amounts too. */
function ofToken({ token, minAmount, maxAmount, ...range }: TokenTransferFilter): ConditionedFrom {
  const parameters = createParameters()
  const conditions = [`token = ${parameters.add(hexToStored(token))}`]
  if (range.from !== undefined || range.to !== undefined) {
    const { first, last } = positionsWithin(range)
    conditions.push(`pos between ${parameters.add(first)} and ${parameters.add(last)}`)
  }
  if (minAmount !== undefined) conditions.push(`amount >= ${parameters.add(encodeAmount(minAmount))}`)
  if (maxAmount !== undefined) conditions.push(`amount <= ${parameters.add(encodeAmount(maxAmount))}`)
  return { table: 'transfers', conditions, parameters }
}
