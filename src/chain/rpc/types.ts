// Blocks, transactions, receipts and logs in their JSON-RPC format.
import type { Hex } from '../bytes/hex.ts'

export type RpcBlock = RpcHeader & {
  readonly size: Hex
  readonly uncles: readonly Hex[]
  readonly transactions: readonly Hex[] | readonly RpcTransaction[]
  readonly withdrawals?: readonly RpcWithdrawal[]
}

export type RpcHeader = {
  readonly hash: Hex
  readonly parentHash: Hex
  readonly sha3Uncles: Hex
  readonly miner: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly logsBloom: Hex
  readonly difficulty: Hex
  readonly number: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  readonly extraData: Hex
  readonly mixHash: Hex
  readonly nonce: Hex
  readonly baseFeePerGas?: Hex
  readonly withdrawalsRoot?: Hex
  readonly blobGasUsed?: Hex
  readonly excessBlobGas?: Hex
  readonly parentBeaconBlockRoot?: Hex
  readonly requestsHash?: Hex
}

export type RpcWithdrawal = {
  readonly index: Hex
  readonly validatorIndex: Hex
  readonly address: Hex
  readonly amount: Hex
}

/** The first four fields are null for a transaction in the pool. */
export type RpcTransaction = {
  readonly blockHash: Hex | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp: Hex | null
  readonly transactionIndex: Hex | null
  readonly hash: Hex
  readonly type: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly nonce: Hex
  readonly gas: Hex
  readonly gasPrice: Hex
  readonly value: Hex
  readonly input: Hex
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
  readonly yParity?: Hex
  readonly chainId?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly maxFeePerBlobGas?: Hex
  readonly blobVersionedHashes?: readonly Hex[]
  readonly authorizationList?: readonly RpcAuthorization[]
  /** OP deposits. */
  readonly sourceHash?: Hex
  readonly mint?: Hex
  readonly isSystemTx?: boolean
  readonly depositReceiptVersion?: Hex
}

export type RpcAuthorization = {
  readonly chainId: Hex
  readonly address: Hex
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

export type RpcLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly blockTimestamp: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

export type RpcReceipt = {
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly contractAddress: Hex | null
  readonly type: Hex
  readonly status?: Hex
  readonly root?: Hex
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
  readonly blobGasUsed?: Hex
  readonly blobGasPrice?: Hex
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
} & { readonly [name in OpFeeName]?: Hex }

/** Receipt fields that an OP node adds for fees other than execution gas. */
export type OpFeeName =
  | 'l1Fee'
  | 'l1GasUsed'
  | 'l1GasPrice'
  | 'l1BaseFeeScalar'
  | 'l1BlobBaseFee'
  | 'l1BlobBaseFeeScalar'
  | 'operatorFeeScalar'
  | 'operatorFeeConstant'
  | 'daFootprintGasScalar'
  /** Jovian: the transaction's data footprint. */
  | 'blobGasUsed'
