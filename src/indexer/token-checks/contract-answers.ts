// Asks token contracts at one block. A contract that refuses has answered; a node that cannot answer has not, and that is never a zero.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { isContractRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'

export type ContractCall = { readonly token: Hex; readonly input: Hex }

export type ContractAnswer =
  | { readonly type: 'answer'; readonly data: Hex }
  /** It reverts, or it has no such function or no code. */
  | { readonly type: 'refused' }
  | { readonly type: 'unanswered' }

/** A balance that costs more gas to compute is not read: a contract could make the node work for nothing. */
const MOST_GAS = 10_000_000

type Block = { readonly height: number; readonly hash: Hex }

/** In order; undefined where the node has another block at this height, so that the answers are of another chain. */
export async function contractAnswers(
  { node, signal }: { readonly node: Pick<Node, 'batch'>; readonly signal: AbortSignal },
  { height, hash }: Block,
  calls: readonly ContractCall[],
): Promise<ContractAnswer[] | undefined> {
  const tag = toQuantity(height)
  const answers = await node.batch(
    [
      ...calls.map(({ token, input }) => ({
        method: 'eth_call',
        params: [{ to: token, data: input, gas: toQuantity(MOST_GAS) }, tag],
      })),
      { method: 'eth_getBlockByNumber', params: [tag, false] },
    ],
    signal,
  )
  const block = answers.at(-1)!
  const blockHash = block.type === 'result' ? (block.result as { hash?: unknown } | null)?.hash : undefined
  if (blockHash !== hash) return undefined
  return answers.slice(0, -1).map((answer): ContractAnswer => {
    if (answer.type === 'refused') return { type: isContractRefusal(answer) ? 'refused' : 'unanswered' }
    const { result } = answer
    if (typeof result !== 'string' || !result.startsWith('0x')) return { type: 'unanswered' }
    return result === '0x' ? { type: 'refused' } : { type: 'answer', data: result as Hex }
  })
}
