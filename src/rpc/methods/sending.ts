// Sending signed transactions: the node takes them, and the pending chain shows when they are preconfirmed.
import { bytesToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { recoverTransaction } from '../../chain/codec/recovered-transaction.ts'
import { transactionToRpc } from '../../chain/rpc/to-rpc.ts'
import { JsonRpcError } from '../../lib/json/json-rpc.ts'
import { awaitReceipt, knownReceipt } from '../state/receipts.ts'
import type { Scope } from '../state/scope.ts'
import type { RpcHandlers } from './handlers.ts'

const DEFAULT_TIMEOUT_MS = 5_000
/** The code of EIP-7966. */
const NOT_INCLUDED_IN_TIME = 4

export const sendingMethods: Pick<RpcHandlers, 'eth_sendRawTransaction' | 'eth_sendRawTransactionSync'> = {
  eth_sendRawTransaction: (scope, [raw]) => sendRaw(scope, raw),

  /** EIP-7966. */
  async eth_sendRawTransactionSync(scope, [raw, timeout]) {
    const timeoutMs = timeout ?? DEFAULT_TIMEOUT_MS
    const headBefore = scope.rpc.pendingChain.view().snapshot.canonical?.hash
    const sent = await sendUnlessKnown(scope, raw)
    const headAsked = sent.isKnown ? undefined : headBefore
    const receipt = await awaitReceipt(scope, sent.hash, { timeoutMs, headAsked })
    if (receipt === null) throw notIncludedYet(timeoutMs, sent.hash)
    return receipt
  },
}

async function sendRaw(scope: Scope, raw: string): Promise<Hex> {
  const { pendingChain, sent, ledger, pool } = scope.rpc
  const atMs = Date.now()
  const head = pendingChain.view().snapshot.canonical?.hash
  const hash = (await scope.ask('eth_sendRawTransaction', [raw])) as Hex
  sent.headAtSending.set(hash, { head })
  ledger?.seen({ hash, raw: raw as Hex, atMs })
  pool.announce(hash, () => transactionToRpc(recoverTransaction(hexToBytes(raw)), null))
  return hash
}

/** A node refuses a transaction that it has, in the pool or in a block. Its words for that differ, so the transaction itself is looked for. */
async function sendUnlessKnown(scope: Scope, raw: string): Promise<{ readonly hash: Hex; readonly isKnown: boolean }> {
  try {
    return { hash: await sendRaw(scope, raw), isKnown: false }
  } catch (refusal) {
    const hash = bytesToHex(keccak256(hexToBytes(raw)))
    if (knownReceipt(scope.rpc, scope.view, hash) !== null) return { hash, isKnown: true }
    const known = await scope.ask('eth_getTransactionByHash', [hash]).catch(() => null)
    if (known === null) throw refusal
    return { hash, isKnown: true }
  }
}

/** The node has the transaction, but no flashblock contains it yet. */
function notIncludedYet(timeoutMs: number, hash: Hex): JsonRpcError {
  const message = `the transaction was accepted but not included within ${timeoutMs} ms`
  return new JsonRpcError(NOT_INCLUDED_IN_TIME, message, hash)
}
