// The answer of `eth_simulateV1`: a block in JSON-RPC format with the result of each call.
import { bytesToHex, EMPTY_BYTES, toQuantity } from '../../chain/bytes/hex.ts'
import { blockToRpc, logToRpc, transactionToRpc } from '../../chain/rpc/to-rpc.ts'
import { callFailed } from './call-failures.ts'
import type { ExecutedMessage } from './execute-message.ts'
import type { SimulatedBlock, SimulatedCall } from './simulation.ts'

export function simulatedWithHashes(block: SimulatedBlock) {
  return viewOf(
    block,
    block.calls.map(({ recovered }) => recovered.hash),
  )
}

export function simulatedWithTransactions(block: SimulatedBlock) {
  return viewOf(
    block,
    block.calls.map(({ recovered }, index) => transactionToRpc(recovered, locationAt(block, index))),
  )
}

function viewOf(block: SimulatedBlock, transactions: Parameters<typeof blockToRpc>[0]['transactions']) {
  return {
    ...blockToRpc({ header: block.header, hash: block.hash, size: block.size, transactions, withdrawals: [] }),
    calls: block.calls.map((call, index) => callView(block, call, index)),
  }
}

function callView(block: SimulatedBlock, { recovered, executed, logs, firstLogIndex }: SimulatedCall, index: number) {
  const location = { ...locationAt(block, index), transactionHash: recovered.hash }
  return {
    // The data of a revert is in its error.
    returnData: bytesToHex(executed.failure === null ? executed.output : EMPTY_BYTES),
    logs: logs.map((log, offset) => logToRpc(log, { ...location, logIndex: firstLogIndex + offset })),
    gasUsed: toQuantity(executed.gasUsed),
    maxUsedGas: toQuantity(executed.peakGas),
    status: executed.failure === null ? '0x1' : '0x0',
    ...errorOf(executed),
  }
}

function locationAt({ header, hash }: SimulatedBlock, transactionIndex: number) {
  return {
    blockHash: hash,
    blockNumber: header.number,
    blockTimestamp: header.timestamp,
    transactionIndex,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
  }
}

function errorOf({ failure, output }: ExecutedMessage) {
  if (failure === null) return {}
  const { code, message, data } = callFailed(failure, output)
  return failure.type === 'reverted' ? { error: { code, message, data } } : { error: { code: VM_ERROR, message } }
}

const VM_ERROR = -32015
