import { setTimeout as delay } from 'node:timers/promises'
import type { PendingFacts } from '../../../web/pages/pending-transaction.tsx'
import { nativeUnits } from '../../explorer/records/parts.ts'
import type { PendingNode } from './pending-node.ts'

type RpcTransaction = Readonly<Record<'from' | 'value' | 'input' | 'nonce' | 'gas' | 'type', string>> & {
  readonly to: string | null
}
type RpcReceipt = Readonly<Record<'status' | 'gasUsed', string>> & {
  readonly contractAddress: string | null
  readonly logs: readonly unknown[]
}

const SELECTOR_LENGTH = '0x12345678'.length

const WAIT_MS = 2_000
const POLL_MS = 50

/**
 * A transaction of the pool or of a flashblock that is not indexed yet. The ledger records a preconfirmation before the flashblock is executed;
 * then this waits a moment for the receipt, since no update would bring it to the page later.
 */
export async function pendingTransaction(
  node: PendingNode | undefined,
  { hash, isPreconfirmed }: { hash: string; isPreconfirmed: boolean },
): Promise<PendingFacts | undefined> {
  if (!node) return undefined
  const giveUpMs = performance.now() + WAIT_MS
  let facts = await factsOf(node, hash)
  while (isPreconfirmed && !facts?.outcome && performance.now() < giveUpMs) {
    await delay(POLL_MS)
    facts = await factsOf(node, hash)
  }
  return facts
}

async function factsOf(node: PendingNode, hash: string): Promise<PendingFacts | undefined> {
  const [found, executed] = await node.ask([
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
  ])
  const transaction = found?.type === 'result' ? (found.result as RpcTransaction | null) : null
  if (!transaction) return undefined
  const receipt = executed?.type === 'result' ? (executed.result as RpcReceipt | null) : null
  return {
    from: transaction.from,
    to: transaction.to ?? '',
    created: receipt?.contractAddress ?? '',
    amount: nativeUnits(BigInt(transaction.value)),
    methodId: transaction.input.length < SELECTOR_LENGTH ? '' : transaction.input.slice(0, SELECTOR_LENGTH),
    nonce: String(Number(transaction.nonce)),
    gasLimit: String(Number(transaction.gas)),
    outcome: receipt && {
      hasFailed: receipt.status === '0x0',
      gasUsed: String(Number(receipt.gasUsed)),
      logCount: String(receipt.logs.length),
    },
  }
}
