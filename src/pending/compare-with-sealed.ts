// Compares a preconfirmed block with the canonical block of its height. It compares not the hashes but what clients were sent: position,
// status, gas and logs of every transaction.

import { equalBytes, type Hex } from '../chain/bytes/hex.ts'
import type { Header } from '../chain/codec/header.ts'
import type { Log } from '../chain/codec/log.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import type { ChangeType, Difference } from '../chain/preconfirmations/record.ts'
import type { PendingBlock } from './pending-block.ts'

export type CanonicalBlock = {
  readonly hash: Hex
  readonly header: Header
  readonly transactions: readonly { readonly hash: Hex }[]
  /** One a transaction, in order. */
  readonly receipts: readonly { readonly receipt: Receipt }[]
}

export type Settlement = {
  readonly height: number
  readonly payloadId: Hex
  readonly preconfirmedHash: Hex
  readonly canonicalHash: Hex
  /** Empty when the canonical block contains everything as it was preconfirmed. */
  readonly differences: readonly Difference[]
  /** Transactions of the canonical block that were never preconfirmed. */
  readonly unannounced: number
}

export function settlementOf(block: PendingBlock, canonical: CanonicalBlock): Settlement {
  const differences = differencesBetween(block, canonical)
  const dropped = differences.filter(({ type }) => type === 'dropped').length
  return {
    height: canonical.header.number,
    payloadId: block.payloadId,
    preconfirmedHash: block.hash,
    canonicalHash: canonical.hash,
    differences,
    unannounced: canonical.transactions.length - (block.transactions.length - dropped),
  }
}

export function differencesBetween(block: PendingBlock, canonical: CanonicalBlock): readonly Difference[] {
  const indexes = new Map(canonical.transactions.map(({ hash }, index) => [hash, index]))
  return block.transactions.flatMap(({ recovered: { hash: transaction }, outcome }, index): Difference[] => {
    const to = indexes.get(transaction)
    if (to === undefined) return [{ type: 'dropped', transaction, from: index, to: null }]
    const differing = (type: ChangeType, from: number, to: number): Difference[] =>
      from === to ? [] : [{ type, transaction, from, to }]
    const moved = differing('moved', index, to)
    if (outcome === null) return moved
    const { receipt } = canonical.receipts[to]!
    const gasBefore = to === 0 ? 0n : canonical.receipts[to - 1]!.receipt.cumulativeGasUsed
    const { status, logs } = outcome.receipt
    return [
      ...moved,
      ...differing('status', Number(status), Number(receipt.status)),
      ...differing('gas', Number(outcome.gasUsed), Number(receipt.cumulativeGasUsed - gasBefore)),
      // The same number of logs can still hold different logs.
      ...(areSameLogs(logs, receipt.logs)
        ? []
        : [{ type: 'logs' as const, transaction, from: logs.length, to: receipt.logs.length }]),
    ]
  })
}

function areSameLogs(some: readonly Log[], others: readonly Log[]): boolean {
  return some.length === others.length && some.every((log, i) => isSameLog(log, others[i]!))
}

function isSameLog(one: Log, other: Log): boolean {
  return (
    one.address === other.address &&
    one.topics.length === other.topics.length &&
    one.topics.every((topic, i) => topic === other.topics[i]) &&
    equalBytes(one.data, other.data)
  )
}
