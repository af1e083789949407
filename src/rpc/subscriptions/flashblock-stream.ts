// The subscription `flashblocks` of xlayer-reth: headers and transactions of the flashblocks, chosen and filled by the subscriber's filter.
import type { z } from 'zod'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { RpcReceipt, RpcTransaction } from '../../chain/rpc/types.ts'
import type { flashblocksFilter } from '../../contract/rpc-further.ts'

export type FlashblocksFilter = z.output<typeof flashblocksFilter>

export type StreamedTransaction = { readonly transaction: RpcTransaction; readonly receipt: RpcReceipt }

/** `header` is JSON; undefined if only transactions are new. */
export type StreamEvent = {
  readonly kind: 'flashblocks'
  readonly header: string | undefined
  readonly transactions: readonly StreamedTransaction[]
}

/** The results that a subscriber is sent, as JSON: one for the header, one for each transaction. */
export function streamResults({ header, transactions }: StreamEvent, filter: FlashblocksFilter): readonly string[] {
  const { subscribeAddresses, txInfo, txReceipt } = filter.subTxFilter
  const addresses = new Set<string>(subscribeAddresses)
  const chosen = addresses.size === 0 ? transactions : transactions.filter((each) => isAbout(each, addresses))
  const headers = filter.headerInfo && header !== undefined ? [`{"type":"header","header":${header}}`] : []
  return [
    ...headers,
    ...chosen.map(({ transaction, receipt }) =>
      JSON.stringify({
        type: 'transaction',
        transaction: {
          txHash: transaction.hash,
          ...(txInfo && { txData: transaction }),
          ...(txReceipt && { receipt }),
        },
      }),
    ),
  ]
}

/** Sender, recipient, or the address of a log. */
function isAbout({ transaction, receipt }: StreamedTransaction, addresses: ReadonlySet<string>): boolean {
  const named: (Hex | null | undefined)[] = [
    transaction.from,
    transaction.to,
    ...receipt.logs.map(({ address }) => address),
  ]
  return named.some((address) => address && addresses.has(address))
}
