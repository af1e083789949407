import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingTransfer } from '../../preconfirmations/pending-row.ts'
import type { InBlock, TransactionSummary } from '../../store/read/chain-rows.ts'
import type { RecordView } from '../state/chain-context.ts'
import {
  blockFieldsOf,
  challengeStatusOf,
  methodIdOf,
  nativeUnits,
  type PendingStage,
  type PendingStamp,
  type PoolKey,
  sidesOf,
  stageOf,
  stateOf,
} from './parts.ts'

/** One that only flashblocks or a pool have. What is not known yet is null. */
export type PendingTransaction = Omit<TransactionSummary, 'fee' | 'gasUsed'> & {
  readonly fee: bigint | null
  readonly gasUsed: number | null
  readonly block: PendingStamp
  readonly pending: PendingStage
  readonly input: Hex
  readonly transfers: readonly PendingTransfer[]
  /** It waits for another one of its sender. */
  readonly isQueued?: boolean
  /** Of one that waits in a pool, or did when the walk through the list began. */
  readonly poolKey?: PoolKey | undefined
}

export type ListedTransaction =
  | (InBlock<TransactionSummary> & { readonly pending?: undefined; readonly poolKey?: PoolKey | undefined })
  | PendingTransaction

/** E3 with `transaction`. */
export function addressTransactionRecord(view: RecordView, row: ListedTransaction) {
  return {
    txId: row.hash,
    ...common(view, row),
    transactionSymbol: view.names.symbol,
    txFee: unitsOrEmpty(row.fee),
    tokenId: '',
    tokenContractAddress: '',
    challengeStatus: challengeStatusOf(view, row),
    l1OriginHash: '',
  }
}

/** E6 with `transaction`. */
export function blockTransactionRecord(view: RecordView, row: ListedTransaction) {
  return {
    txid: row.hash,
    ...common(view, row),
    transactionSymbol: view.names.symbol,
    txfee: unitsOrEmpty(row.fee),
    tokenId: '',
    tokenContractAddress: '',
  }
}

/** E4 and E10. */
export function normalTransactionRecord(view: RecordView, row: ListedTransaction) {
  return {
    txId: row.hash,
    ...common(view, row),
    symbol: view.names.symbol,
    nonce: String(row.nonce),
    txFee: unitsOrEmpty(row.fee),
    gasPrice: nativeUnits(row.gasPrice),
    gasLimit: String(row.gasLimit),
    gasUsed: row.gasUsed === null ? '' : String(row.gasUsed),
    transactionType: String(row.type),
  }
}

/** E7 and E8: `input` is the sender, `output` the recipient (docs/spec-gaps.md#14). */
export function latestTransactionRecord(view: RecordView, row: ListedTransaction) {
  const { from, to, isFromContract, isToContract, ...rest } = common(view, row)
  return {
    txid: row.hash,
    ...rest,
    input: from,
    output: to,
    isInputContract: isFromContract,
    isOutputContract: isToContract,
    isFromContract,
    isToContract,
    transactionSymbol: view.names.symbol,
    txfee: unitsOrEmpty(row.fee),
    transactionType: String(row.type),
  }
}

function common(view: RecordView, row: ListedTransaction) {
  return {
    methodId: methodIdOf(row.method),
    ...blockFieldsOf(row),
    ...sidesOf(view, row),
    amount: nativeUnits(row.value),
    state: row.pending ? 'pending' : stateOf(row.status),
    stage: row.pending ?? stageOf(view.heads, row),
    contractAddress: row.contractAddress ?? '',
  }
}

function unitsOrEmpty(wei: bigint | null): string {
  return wei === null ? '' : nativeUnits(wei)
}
