import type { HeadState } from '../../../web/parts/chain/account-heads.tsx'
import { nativeUnits } from '../../explorer/records/parts.ts'
import type { NodeAnswer, PendingNode } from './pending-node.ts'

const TAGS = ['pending', 'latest', 'safe', 'finalized'] as const

/** What the address has at each of the heads, all from one view; undefined where this process follows no node. */
export async function accountHeads(
  node: PendingNode | undefined,
  address: string,
): Promise<readonly HeadState[] | undefined> {
  if (!node) return undefined
  const answers = await node.ask(
    TAGS.flatMap((tag) => [
      ['eth_getBalance', address, tag] as const,
      ['eth_getTransactionCount', address, tag] as const,
    ]),
  )
  return TAGS.map((tag, i) => ({
    tag,
    balance: told(answers[2 * i], nativeUnits),
    nonce: told(answers[2 * i + 1], String),
  }))
}

/** A node without the tag, or without the state of it, tells nothing. */
function told(answer: NodeAnswer | undefined, spell: (quantity: bigint) => string): string {
  return answer?.type === 'result' && typeof answer.result === 'string' ? spell(BigInt(answer.result)) : ''
}
