import type { InTransaction } from '../../store/read/chain-rows.ts'
import type { InternalRow } from '../../store/schema/rows.ts'
import type { RecordView } from '../state/chain-context.ts'
import {
  blockFieldsOf,
  challengeStatusOf,
  methodIdOf,
  nativeUnits,
  type PendingStage,
  sidesOf,
  stageOf,
  stateOf,
} from './parts.ts'

/** A stored internal transaction, or one of a preconfirmed transaction. */
export type ListedInternal = InTransaction<InternalRow> & { readonly pending?: PendingStage }

/** An item of E13. */
export function internalOfBatchRecord(view: RecordView, row: ListedInternal) {
  return {
    txId: row.transaction.hash,
    ...blockFieldsOf(row),
    operation: row.operation,
    ...movedNative(view, row),
  }
}

/** An item of E14. */
export function internalDetailRecord(view: RecordView, row: ListedInternal) {
  return {
    txId: row.transaction.hash,
    height: String(row.block.height),
    transactionTime: String(row.block.timestampMs),
    operation: row.operation,
    ...movedNative(view, row),
    state: row.pending ? 'pending' : stateOf(row.status),
  }
}

/** An item of address/internal-transaction-list. */
export function addressInternalListRecord(view: RecordView, row: ListedInternal) {
  return {
    ...internalOfBatchRecord(view, row),
    symbol: view.names.symbol,
    state: row.pending ? 'pending' : stateOf(row.status),
    stage: row.pending ?? stageOf(view.heads, row),
  }
}

/** E3 with `internal`. Method and fee are those of the whole transaction. */
export function addressInternalRecord(view: RecordView, row: ListedInternal) {
  return {
    txId: row.transaction.hash,
    ...common(view, row),
    txFee: nativeUnits(row.transaction.fee),
    challengeStatus: challengeStatusOf(view, row),
    l1OriginHash: '',
  }
}

/** E6 with `internal`. */
export function blockInternalRecord(view: RecordView, row: ListedInternal) {
  return {
    txid: row.transaction.hash,
    ...common(view, row),
    txfee: nativeUnits(row.transaction.fee),
  }
}

function common(view: RecordView, row: ListedInternal) {
  return {
    methodId: methodIdOf(row.transaction.method),
    ...blockFieldsOf(row),
    ...movedNative(view, row),
    transactionSymbol: view.names.symbol,
    state: row.pending ? 'pending' : stateOf(row.status),
    stage: row.pending ?? stageOf(view.heads, row),
    tokenId: '',
    tokenContractAddress: '',
    contractAddress: row.operation === 'create' || row.operation === 'create2' ? (row.recipient ?? '') : '',
  }
}

/** What moved, and between whom. A delegate call sees the value of the call around it and moves nothing. */
export function movedNative(view: RecordView, row: InternalRow) {
  return {
    ...sidesOf(view, row),
    amount: nativeUnits(row.operation === 'delegatecall' ? 0n : row.value),
  }
}
