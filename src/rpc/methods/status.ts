// What became of a transaction: from the account of it, or, where that is too old or not kept, from what is known right now.
import { fromQuantityToNumber, type Hex } from '../../chain/bytes/hex.ts'
import { asObject, isPresent, numberOf } from '../../chain/rpc/fields.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import type { Scope } from '../state/scope.ts'

export const statusMethods: Pick<RpcHandlers, 'firstlight_transactionStatus'> = {
  firstlight_transactionStatus: (scope, [hash]) =>
    scope.dependencies.ledger?.stagesOf(hash as Hex) ?? statusNow(scope, hash as Hex),
}

async function statusNow(scope: Scope, hash: Hex): Promise<unknown> {
  const place = scope.view.snapshot.transaction(hash)
  if (place !== null) {
    const { block, index } = place
    const { flashblockIndex } = block.transactions[index]!
    return {
      hash,
      stage: 'preconfirmed',
      preconfirmed: { height: block.header.number, flashblockIndex, position: index },
    }
  }
  const told = await scope.ask('eth_getTransactionByHash', [hash])
  if (told === null) return { hash, stage: 'unknown' }
  const transaction = asObject(told, 'transaction')
  if (!isPresent(transaction, 'blockNumber')) return { hash, stage: 'seen' }
  const height = numberOf(transaction, 'blockNumber')
  const included = { height, blockHash: transaction.blockHash, position: numberOf(transaction, 'transactionIndex') }
  const [safe, finalized] = await Promise.all([tagHeight(scope, 'safe'), tagHeight(scope, 'finalized')])
  const stage = height <= finalized ? 'finalized' : height <= safe ? 'safe' : 'included'
  return { hash, stage, included }
}

/** Below every block where the node has no such tag. */
async function tagHeight(scope: Scope, tag: 'safe' | 'finalized'): Promise<number> {
  const block = await scope.ask('eth_getBlockByNumber', [tag, false]).catch(() => null)
  return block === null ? -1 : fromQuantityToNumber(String(asObject(block, 'block').number))
}
