// transaction/transaction-fills: everything of one transaction.
import type { Hex } from '../../chain/bytes/hex.ts'
import { indexOf } from '../../store/schema/position.ts'
import type { Decoded } from '../../verification/selectors/decode.ts'
import type { RecordView } from '../state/chain-context.ts'
import { type ListedInternal, movedNative } from './internal-record.ts'
import { blockFieldsOf, exactness, methodIdOf, nativeUnits, sidesOf, stageOf, stateOf } from './parts.ts'
import type { ListedTransaction } from './transaction-record.ts'
import { type ListedTransfer, movedTokens, symbolOf } from './transfer-record.ts'

export type Filled = {
  readonly row: ListedTransaction
  readonly input: Hex
  readonly unknownFields: string | null
  readonly call: Decoded | undefined
  readonly transfers: readonly ListedTransfer[]
  readonly internals: readonly ListedInternal[]
  readonly areInternalsComplete: boolean
}

export function fillsRecord(view: RecordView, filled: Filled) {
  const { row, input, unknownFields, call, transfers, internals, areInternalsComplete } = filled
  const { from, to, isFromContract, isToContract } = sidesOf(view, row)
  const amount = nativeUnits(row.value)
  return {
    txid: row.hash,
    ...blockFieldsOf(row),
    index: row.block.height === null ? '' : String(indexOf(row.pos)),
    confirm: row.pending ? '0' : String(view.heads.latest - row.block.height),
    amount,
    transactionSymbol: view.names.symbol,
    txfee: row.fee === null ? '' : nativeUnits(row.fee),
    inputDetails: [{ inputHash: from, isContract: isFromContract, ...exactness(view, [row.sender]), amount }],
    outputDetails: [{ outputHash: to, isContract: isToContract, ...exactness(view, [row.recipient]), amount }],
    state: row.pending ? 'pending' : stateOf(row.status),
    stage: row.pending ?? stageOf(view.heads, row),
    gasLimit: String(row.gasLimit),
    gasUsed: row.gasUsed === null ? '' : String(row.gasUsed),
    gasPrice: nativeUnits(row.gasPrice),
    nonce: String(row.nonce),
    transactionType: String(row.type),
    methodId: methodIdOf(row.method),
    errorLog: row.error ?? '',
    inputData: input,
    decodedInput: call ? [decodedRecord(call)] : [],
    totalTransactionSize: '',
    virtualSize: '',
    weight: '',
    unknownFields: unknownFields ?? '',
    isAaTransaction: row.recipient !== null && ENTRY_POINTS.has(row.recipient),
    contractAddress: row.contractAddress ?? '',
    tokenTransferDetails: transfers.map((transfer, i) => ({
      index: String(i),
      token: view.tokenAt(transfer.token).name ?? '',
      symbol: symbolOf(view, transfer),
      ...movedTokens(view, transfer),
    })),
    internalTransactionsComplete: areInternalsComplete,
    contractDetails: internals.map((internal, i) => ({
      index: String(i),
      operation: internal.operation,
      ...movedNative(view, internal),
      gasLimit: String(internal.gas),
      state: internal.pending ? 'pending' : stateOf(internal.status),
    })),
  }
}

function decodedRecord({ signature, isGuess, arguments: list }: Decoded) {
  return {
    method: signature,
    isGuess,
    arguments: list.map(({ name, type, value }) => ({
      name,
      type,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  }
}

/** ERC-4337, versions 0.6 to 0.8: the same on every chain. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
])
