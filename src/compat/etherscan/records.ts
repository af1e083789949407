// Rows as the facade spells them: wei and seconds, decimal everywhere but in logs.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { methodIdOf } from '../../explorer/records/parts.ts'
import type { TokenUnit } from '../../explorer/state/chain-context.ts'
import type { InBlock, InTransaction, TransactionSummary } from '../../store/read/chain-rows.ts'
import { indexOf } from '../../store/schema/position.ts'
import type { InternalRow, LogRow, TransferRow } from '../../store/schema/rows.ts'

type Listed = InBlock<TransactionSummary>

export function seconds(timestampMs: number): string {
  return String(Math.floor(timestampMs / 1000))
}

function placeOf({ block }: Listed | InTransaction<TransferRow>, latest: number) {
  return {
    blockNumber: String(block.height),
    timeStamp: seconds(block.timestampMs),
    blockHash: block.hash,
    confirmations: String(latest - block.height),
  }
}

type Shown = { readonly input: Hex; readonly cumulativeGas: number | undefined; readonly latest: number }

export function transactionRecord(row: Listed, { input, cumulativeGas, latest }: Shown) {
  return {
    ...placeOf(row, latest),
    hash: row.hash,
    nonce: String(row.nonce),
    transactionIndex: String(indexOf(row.pos)),
    from: row.sender,
    to: row.recipient ?? '',
    value: row.value.toString(),
    gas: String(row.gasLimit),
    gasPrice: row.gasPrice.toString(),
    gasUsed: String(row.gasUsed),
    cumulativeGasUsed: String(cumulativeGas ?? ''),
    isError: row.status === 0 ? '1' : '0',
    txreceipt_status: row.status === null ? '' : String(row.status),
    input,
    contractAddress: row.contractAddress ?? '',
    methodId: methodIdOf(row.method) || '0x',
    functionName: '',
  }
}

export function internalRecord(row: InTransaction<InternalRow>) {
  return {
    blockNumber: String(row.block.height),
    timeStamp: seconds(row.block.timestampMs),
    hash: row.transaction.hash,
    from: row.sender,
    to: row.operation.startsWith('create') ? '' : (row.recipient ?? ''),
    value: row.operation === 'delegatecall' ? '0' : row.value.toString(),
    contractAddress: row.operation.startsWith('create') ? (row.recipient ?? '') : '',
    input: '',
    type: row.operation,
    gas: String(row.gas),
    gasUsed: String(row.gasUsed),
    traceId: String(indexOf(row.pos)),
    isError: row.status === 1 ? '0' : '1',
    errCode: row.error ?? '',
  }
}

type ShownTransfer = {
  readonly outer: Listed | undefined
  readonly token: TokenUnit | undefined
  readonly cumulativeGas: number | undefined
  readonly latest: number
}

export function transferRecord(
  row: InTransaction<TransferRow>,
  { outer, token, cumulativeGas, latest }: ShownTransfer,
) {
  return {
    ...placeOf(row, latest),
    hash: row.transaction.hash,
    nonce: String(outer?.nonce ?? ''),
    from: row.sender,
    contractAddress: row.token,
    to: row.recipient,
    ...amountOf(row),
    tokenName: token?.name ?? '',
    tokenSymbol: token?.symbol ?? '',
    tokenDecimal: String(token?.decimals ?? 0),
    transactionIndex: String(indexOf(row.txPos)),
    gas: String(outer?.gasLimit ?? ''),
    gasPrice: outer?.gasPrice.toString() ?? '',
    gasUsed: String(outer?.gasUsed ?? ''),
    cumulativeGasUsed: String(cumulativeGas ?? ''),
    input: 'deprecated',
    methodId: methodIdOf(row.transaction.method),
  }
}

function amountOf({ kind, amount, tokenId }: TransferRow) {
  switch (kind) {
    case 20:
      return { value: amount.toString() }
    case 721:
      return { tokenID: String(tokenId) }
    case 1155:
      return { tokenID: String(tokenId), tokenValue: amount.toString() }
  }
}

export function logRecord(row: InTransaction<LogRow>, outer: Listed | undefined) {
  return {
    address: row.address,
    topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
    data: row.data,
    blockNumber: toQuantity(row.block.height),
    blockHash: row.block.hash,
    timeStamp: toQuantity(Math.floor(row.block.timestampMs / 1000)),
    gasPrice: toQuantity(outer?.gasPrice ?? 0n),
    gasUsed: toQuantity(outer?.gasUsed ?? 0),
    logIndex: toQuantity(indexOf(row.pos)),
    transactionHash: row.transaction.hash,
    transactionIndex: toQuantity(indexOf(row.txPos)),
  }
}
