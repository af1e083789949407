// txpool_*: transactions in the pool.
import { addressToHex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import type { RecoveredTransaction } from '../../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT } from '../../../src/chain/codec/transaction.ts'
import { maxFeePerGasOf } from '../../../src/chain/rules/transaction-fees.ts'
import type { SenderQueues } from '../../chain/pool.ts'
import { waitingTransaction } from '../block-view.ts'
import { method } from '../method.ts'
import { address } from '../params.ts'

export const txpoolMethods = {
  txpool_status: method({}, ({ chain }) => {
    const { pending, queued } = chain.pool.status()
    return { pending: toQuantity(pending), queued: toQuantity(queued) }
  }),
  txpool_content: method({}, ({ chain }) => {
    const { pending, queued } = chain.pool.content()
    return { pending: bySender(pending, waitingTransaction), queued: bySender(queued, waitingTransaction) }
  }),
  txpool_inspect: method({}, ({ chain }) => {
    const { pending, queued } = chain.pool.content()
    return { pending: bySender(pending, summary), queued: bySender(queued, summary) }
  }),
  txpool_contentFrom: method({ address }, ({ chain }, args) => {
    const { pending, queued } = chain.pool.content()
    return {
      pending: byNonce(pending.get(args.address) ?? [], waitingTransaction),
      queued: byNonce(queued.get(args.address) ?? [], waitingTransaction),
    }
  }),
}

function summary({ transaction }: RecoveredTransaction): string {
  const to = transaction.to === null ? 'contract creation' : addressToHex(transaction.to)
  return `${to}: ${transaction.value} wei + ${transaction.gasLimit} gas × ${maxFeePerGasOf(transaction)} wei`
}

function bySender<T>(queues: SenderQueues, show: (recovered: RecoveredTransaction) => T) {
  return Object.fromEntries([...queues].map(([sender, waiting]) => [addressToHex(sender), byNonce(waiting, show)]))
}

function byNonce<T>(waiting: readonly RecoveredTransaction[], show: (recovered: RecoveredTransaction) => T) {
  return Object.fromEntries(waiting.map((recovered) => [String(nonceOf(recovered)), show(recovered)]))
}

/** Deposits never wait in the pool. */
function nonceOf({ transaction }: RecoveredTransaction) {
  return transaction.type === DEPOSIT ? 0n : transaction.nonce
}
