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

/** A block that cannot be executed has a transaction of a type that this program does not know; the number is the first such type. */
export function sealedBlockFrom(
  block: Omit<SealedBlock, 'transactions'> & { readonly transactions: readonly BlockTransaction[] },
): SealedBlock | { readonly unknownType: number } {
  const { hash, header } = block
  const foreign = block.transactions.find(isForeign)
  if (foreign !== undefined) return { unknownType: foreign.transaction.typeNumber }
  return { hash, header, transactions: block.transactions.filter((item) => !isForeign(item)) }
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
