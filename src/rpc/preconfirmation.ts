// The methods of E20. A method without a pending chain behind it refuses with `notReady`.
import { Failure } from '../contract/failure.ts'
import type { RpcHandlers } from './dispatch.ts'

export const createPreconfirmationRpc = (): RpcHandlers => ({
  eth_blockNumber: noPendingChain,
  eth_call: noPendingChain,
  eth_estimateGas: noPendingChain,
  eth_getBalance: noPendingChain,
  eth_getTransactionCount: noPendingChain,
  eth_getCode: noPendingChain,
  eth_getStorageAt: noPendingChain,
  eth_getBlockByHash: noPendingChain,
  eth_getBlockByNumber: noPendingChain,
  eth_getBlockReceipts: noPendingChain,
  eth_getBlockTransactionCountByNumber: noPendingChain,
  eth_getBlockTransactionCountByHash: noPendingChain,
  eth_getTransactionByHash: noPendingChain,
  eth_getRawTransactionByHash: noPendingChain,
  eth_getTransactionReceipt: noPendingChain,
  eth_getTransactionByBlockNumberAndIndex: noPendingChain,
  eth_getTransactionByBlockHashAndIndex: noPendingChain,
})

const noPendingChain = (): never => {
  throw new Failure('notReady', 'Service temporarily unavailable: there is no pending chain yet.')
}
