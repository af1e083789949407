// Refusals of JSON-RPC (docs/spec-gaps.md#43), in the words and with the codes of geth, which clients compare.
import type { Hex } from '../../chain/bytes/hex.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import { JsonRpcError, LIMIT_EXCEEDED } from '../../lib/json/json-rpc.ts'

const NOT_SUPPORTED = -32001
/** EIP-7966. */
const TIMED_OUT = 4

export const overLimit = (message: string): JsonRpcError => new JsonRpcError(LIMIT_EXCEEDED, message)

export const nodeSilent = (): JsonRpcError => serverError('the node does not answer')

/** The transaction is with the node, but nobody has promised it a place yet. */
export const notIncludedYet = (timeoutMs: number, hash: Hex): JsonRpcError =>
  new JsonRpcError(TIMED_OUT, `the transaction was accepted but not included within ${timeoutMs} ms`, hash)

export const onlyOverWebSocket = (): JsonRpcError => new JsonRpcError(NOT_SUPPORTED, 'notifications not supported')
