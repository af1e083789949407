import type { InTransaction } from '../../store/read/chain-rows.ts'
import type { TransferRow } from '../../store/schema/rows.ts'
import type { RecordView } from '../state/chain-context.ts'
import {
  blockFieldsOf,
  challengeStatusOf,
  methodIdOf,
  nativeUnits,
  type PendingStage,
  protocolTypeOf,
  sidesOf,
  stageOf,
  stateOf,
  tokenUnits,
} from './parts.ts'

/** A stored transfer, or one of a preconfirmed transaction. */
export type ListedTransfer = InTransaction<TransferRow> & { readonly pending?: PendingStage }

/** An item of E2. */
export function tokenTransferRecord(view: RecordView, row: ListedTransfer) {
  return {
    txid: row.transaction.hash,
    ...common(view, row),
    ...transactionFields(view, row),
    transactionSymbol: symbolOf(view, row),
    protocolType: protocolTypeOf(row.kind),
  }
}

/** E3 with a kind of token. The fee is that of the whole transaction. */
export function addressTransferRecord(view: RecordView, row: ListedTransfer) {
  return {
    txId: row.transaction.hash,
    ...common(view, row),
    ...transactionFields(view, row),
    transactionSymbol: symbolOf(view, row),
    txFee: nativeUnits(row.transaction.fee),
    challengeStatus: challengeStatusOf(view, row),
    l1OriginHash: '',
    contractAddress: '',
  }
}

/** E6 with a kind of token. */
export function blockTransferRecord(view: RecordView, row: ListedTransfer) {
  return {
    txid: row.transaction.hash,
    ...common(view, row),
    ...transactionFields(view, row),
    transactionSymbol: symbolOf(view, row),
    txfee: nativeUnits(row.transaction.fee),
    contractAddress: '',
  }
}

/** An item of E11. */
export function transferOfTransactionRecord(view: RecordView, row: ListedTransfer) {
  return {
    txId: row.transaction.hash,
    ...common(view, row),
    symbol: symbolOf(view, row),
  }
}

/** An item of address/token-transaction-list. */
export function tokenTransactionRecord(view: RecordView, row: ListedTransfer) {
  return {
    ...transferOfTransactionRecord(view, row),
    ...transactionFields(view, row),
    protocolType: protocolTypeOf(row.kind),
  }
}

function common(view: RecordView, row: ListedTransfer) {
  return { ...blockFieldsOf(row), ...movedTokens(view, row) }
}

/** What moved, and between whom. */
export function movedTokens(view: RecordView, row: TransferRow) {
  return {
    ...sidesOf(view, row),
    amount: tokenUnits(row.amount, { decimals: row.kind === 20 ? view.tokenAt(row.token).decimals : 0 }),
    tokenContractAddress: row.token,
    tokenId: row.tokenId === null ? '' : row.tokenId.toString(),
  }
}

/** A reverted transfer leaves no log, so the status is that of its transaction. */
function transactionFields(view: RecordView, row: ListedTransfer) {
  return {
    methodId: methodIdOf(row.transaction.method),
    state: row.pending ? 'pending' : stateOf(row.transaction.status),
    stage: row.pending ?? stageOf(view.heads, row),
  }
}

export function symbolOf(view: RecordView, row: TransferRow): string {
  return view.tokenAt(row.token).symbol ?? ''
}
