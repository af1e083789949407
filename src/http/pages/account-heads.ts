import type { HeadState } from '../../../web/parts/chain/account-heads.tsx'
import { nativeUnits } from '../../explorer/records/parts.ts'
import type { NodeAnswer, PendingNode } from './pending-node.ts'

const TAGS = ['pending', 'latest', 'safe', 'finalized'] as const

/** Balance and nonce at each head, from one snapshot; undefined where this process follows no node. */
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
    balance: quantityText(answers[2 * i], nativeUnits),
    nonce: quantityText(answers[2 * i + 1], String),
  }))
}

/** Empty where the node does not know the tag or has no state for it. */
function quantityText(answer: NodeAnswer | undefined, spell: (quantity: bigint) => string): string {
  return answer?.type === 'result' && typeof answer.result === 'string' ? spell(BigInt(answer.result)) : ''
}
