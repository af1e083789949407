// A canonical block as the executor runs it, where its flashblocks did not contain all of it.

import type { Hex } from '../chain/bytes/hex.ts'
import { type BlockTransaction, isForeign } from '../chain/codec/foreign-transaction.ts'
import type { Header } from '../chain/codec/header.ts'
import type { RecoveredTransaction } from '../chain/codec/recovered-transaction.ts'
import type { ExecutedBlock } from './execute-block.ts'
import type { PendingBlock } from './pending-block.ts'

export type SealedBlock = {
  readonly hash: Hex
  readonly header: Header
  readonly transactions: readonly RecoveredTransaction[]
}

/** Undefined for a block that cannot be executed: it has a transaction of a type that this program does not know. */
export function sealedBlockFrom(
  block: Omit<SealedBlock, 'transactions'> & { readonly transactions: readonly BlockTransaction[] },
): SealedBlock | undefined {
  const { hash, header } = block
  const transactions = block.transactions.filter((item) => !isForeign(item))
  return transactions.length < block.transactions.length ? undefined : { hash, header, transactions }
}

/** As if one flashblock had brought it all. */
export function asPendingBlock({ hash, header, transactions }: SealedBlock): PendingBlock {
  return {
    payloadId: hash,
    index: 0,
    hash,
    header,
    isProven: true,
    transactions: transactions.map((recovered) => ({ recovered, flashblockIndex: 0, outcome: null })),
    balances: new Map(),
  }
}

/** What was executed of it already: all of a shorter block that begins with the same transactions in the same environment. */
export function beginningExecuted(executed: ExecutedBlock | undefined, sealed: SealedBlock): ExecutedBlock | null {
  if (executed === undefined) return null
  const { header, transactions } = executed.block
  const isSameStart = START_FIELDS.every((field) => header[field] === sealed.header[field])
  const isBeginning = transactions.every(({ recovered }, i) => recovered.hash === sealed.transactions[i]?.hash)
  return isSameStart && isBeginning ? executed : null
}

const START_FIELDS = [
  'parentHash',
  'number',
  'timestamp',
  'miner',
  'mixHash',
  'gasLimit',
  'baseFeePerGas',
  'parentBeaconBlockRoot',
] as const satisfies readonly (keyof Header)[]
