// The message of a flashblock as a page shows it: its transactions with what they did, and the balances that it left.
import { addressToHex, bytesToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { type RecoveredTransaction, recoverTransaction } from '../../chain/codec/recovered-transaction.ts'
import { type FlashblockMessage, flashblockMessage } from '../../contract/flashblock.ts'
import type { FlashblockContent } from '../../contract/pages.ts'
import { nativeUnits } from '../records/parts.ts'

/** Each has its sender recovered. */
const MOST_TRANSACTIONS = 250
const MOST_BALANCES = 250
const SELECTOR_BYTES = 4

/** `gasBefore` is what the block had used before this flashblock. */
export function flashblockContent(text: string, gasBefore: number): FlashblockContent {
  const { diff, metadata } = flashblockMessage.parse(JSON.parse(text))
  const receipts = receiptsIn(metadata)
  let gasSoFar: number | undefined = gasBefore
  const transactions = diff.transactions.slice(0, MOST_TRANSACTIONS).map((raw) => {
    const recovered = recoverTransaction(hexToBytes(raw))
    const receipt = receipts.get(recovered.hash)
    const cumulative = receipt?.cumulativeGasUsed === undefined ? undefined : Number(receipt.cumulativeGasUsed)
    const gasUsed = cumulative === undefined || gasSoFar === undefined ? '' : String(cumulative - gasSoFar)
    gasSoFar = cumulative
    return { ...plain(recovered), ...outcomeOf(receipt), gasUsed }
  })
  const balances = Object.entries(metadata.new_account_balances ?? {})
  return {
    transactions,
    balances: balances
      .slice(0, MOST_BALANCES)
      .map(([address, wei]) => ({ address: address.toLowerCase(), balance: nativeUnits(BigInt(wei)) })),
    isTruncated: diff.transactions.length > MOST_TRANSACTIONS || balances.length > MOST_BALANCES,
  }
}

type AnnouncedReceipt = {
  readonly status?: unknown
  readonly cumulativeGasUsed?: string
  readonly logs?: readonly unknown[]
}

/** The stored message is the one that this service sends: its receipts are keyed by the type of their transaction. */
function receiptsIn({ receipts }: FlashblockMessage['metadata']): Map<Hex, AnnouncedReceipt> {
  return new Map(
    Object.entries(receipts ?? {}).map(([hash, keyed]) => [
      hash.toLowerCase() as Hex,
      (Object.values(keyed)[0] ?? {}) as AnnouncedReceipt,
    ]),
  )
}

function outcomeOf(receipt: AnnouncedReceipt | undefined) {
  return {
    hasFailed: receipt?.status === '0x0',
    logCount: receipt?.logs ? String(receipt.logs.length) : '',
  }
}

function plain({ transaction, hash, from }: RecoveredTransaction) {
  return {
    hash,
    from: addressToHex(from),
    to: transaction.to === null ? '' : addressToHex(transaction.to),
    methodId: transaction.data.length < SELECTOR_BYTES ? '' : bytesToHex(transaction.data.subarray(0, SELECTOR_BYTES)),
    amount: nativeUnits(transaction.value),
  }
}
