import type { InBlock, TransactionSummary } from '../../store/read/chain-rows.ts'
import type { RecordView } from '../state/chain-context.ts'
import { blockFieldsOf, challengeStatusOf, methodIdOf, nativeUnits, sidesOf, stageOf, stateOf } from './parts.ts'

/** A stored transaction, or one that only flashblocks have. */
export type ListedTransaction = InBlock<TransactionSummary> & { readonly isPending?: true }

/** E3 with `transaction`. */
export function addressTransactionRecord(view: RecordView, row: ListedTransaction) {
  return {
    txId: row.hash,
    ...common(view, row),
    transactionSymbol: view.names.symbol,
    txFee: nativeUnits(row.fee),
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
    txfee: nativeUnits(row.fee),
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
    txFee: nativeUnits(row.fee),
    gasPrice: nativeUnits(row.gasPrice),
    gasLimit: String(row.gasLimit),
    gasUsed: String(row.gasUsed),
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
    txfee: nativeUnits(row.fee),
    transactionType: String(row.type),
  }
}

function common(view: RecordView, row: ListedTransaction) {
  return {
    methodId: methodIdOf(row.method),
    ...blockFieldsOf(row),
    ...sidesOf(view, row),
    amount: nativeUnits(row.value),
    state: row.isPending ? 'pending' : stateOf(row.status),
    stage: row.isPending ? 'preconfirmed' : stageOf(view.heads, row),
    contractAddress: row.contractAddress ?? '',
  }
}
