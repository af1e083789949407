import type { InTransaction } from '../../store/read/in-chain.ts'
import type { TransferRow } from '../../store/schema/rows.ts'
import type { ChainView } from '../state/chain-view.ts'
import { challengeStatusOf } from './challenge-status.ts'
import { methodIdOf, nativeUnits, placeOf, protocolTypeOf, sidesOf, stageOf, stateOf, tokenUnits } from './parts.ts'

/** An item of E2. */
export function tokenTransferRecord(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    txid: row.transaction.hash,
    ...common(view, row),
    ...outcome(view, row),
    transactionSymbol: symbolOf(view, row),
    protocolType: protocolTypeOf(row.kind),
  }
}

/** E3 with a kind of token. The fee is that of the whole transaction. */
export function addressTransferRecord(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    txId: row.transaction.hash,
    ...common(view, row),
    ...outcome(view, row),
    transactionSymbol: symbolOf(view, row),
    txFee: nativeUnits(row.transaction.fee),
    challengeStatus: challengeStatusOf(view, row),
    l1OriginHash: '',
    contractAddress: '',
  }
}

/** E6 with a kind of token. */
export function blockTransferRecord(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    txid: row.transaction.hash,
    ...common(view, row),
    ...outcome(view, row),
    transactionSymbol: symbolOf(view, row),
    txfee: nativeUnits(row.transaction.fee),
    contractAddress: '',
  }
}

/** An item of E11. */
export function transferOfTransactionRecord(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    txId: row.transaction.hash,
    ...common(view, row),
    symbol: symbolOf(view, row),
  }
}

/** An item of address/token-transaction-list. */
export function tokenTransactionRecord(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    ...transferOfTransactionRecord(view, row),
    ...outcome(view, row),
    protocolType: protocolTypeOf(row.kind),
  }
}

function common(view: ChainView, row: InTransaction<TransferRow>) {
  return { ...placeOf(row), ...movedTokens(view, row) }
}

/** What moved, and between whom. */
export function movedTokens(view: ChainView, row: TransferRow) {
  return {
    ...sidesOf(view, row),
    amount: tokenUnits(row.amount, { decimals: row.kind === 20 ? view.tokenAt(row.token).decimals : 0 }),
    tokenContractAddress: row.token,
    tokenId: row.tokenId === null ? '' : row.tokenId.toString(),
  }
}

/** A reverted transfer leaves no log, so only the transaction around it can tell. */
function outcome(view: ChainView, row: InTransaction<TransferRow>) {
  return {
    methodId: methodIdOf(row.transaction.method),
    state: stateOf(row.transaction.status),
    stage: stageOf(view.heads, row),
  }
}

export function symbolOf(view: ChainView, row: TransferRow): string {
  return view.tokenAt(row.token).symbol ?? ''
}
