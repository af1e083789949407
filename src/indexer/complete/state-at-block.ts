// Questions to the node about the state after a block.
import { fromQuantity, type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { type Answer, isMissingState } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'

export type StateQuery = { readonly height: number } & (
  | { readonly type: 'balance'; readonly address: Hex }
  | { readonly type: 'code'; readonly address: Hex }
  | { readonly type: 'call'; readonly address: Hex; readonly input: Hex }
)

type Asked = { readonly node: Pick<Node, 'batch'>; readonly signal: AbortSignal }

/** In order; null where the node refuses, or has thrown that state away. */
export async function readStateAt({ node, signal }: Asked, questions: readonly StateQuery[]): Promise<(Hex | null)[]> {
  if (questions.length === 0) return []
  const answers = await node.batch(
    questions.map((question) => rpcCall(question)),
    signal,
  )
  return answers.map(hexIn)
}

/** As `askAt`, but where the state is thrown away what holds now must do: for what hardly ever changes. */
export async function readStateAtOrLatest(asked: Asked, questions: readonly StateQuery[]): Promise<(Hex | null)[]> {
  if (questions.length === 0) return []
  const answers = [
    ...(await asked.node.batch(
      questions.map((question) => rpcCall(question)),
      asked.signal,
    )),
  ]
  const lost = answers.flatMap((answer, index) => (answer.type === 'refused' && isMissingState(answer) ? [index] : []))
  if (lost.length > 0) {
    const again = await asked.node.batch(
      lost.map((index) => rpcCall(questions[index]!, 'latest')),
      asked.signal,
    )
    for (const [at, index] of lost.entries()) answers[index] = again[at]!
  }
  return answers.map(hexIn)
}

/** Which block the node has at a height now; null where it has none. */
export async function hashAt({ node, signal }: Asked, height: number): Promise<Hex | null> {
  const [answer] = await node.batch([{ method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }], signal)
  return answer?.type === 'result' ? ((answer.result as { hash: Hex } | null)?.hash ?? null) : null
}

export function weiFrom(answer: Hex | null): bigint | null {
  return answer === null || answer === '0x' ? null : fromQuantity(answer)
}

function rpcCall(question: StateQuery, tag: unknown = toQuantity(question.height)) {
  switch (question.type) {
    case 'balance':
      return { method: 'eth_getBalance', params: [question.address, tag] }
    case 'code':
      return { method: 'eth_getCode', params: [question.address, tag] }
    case 'call':
      return { method: 'eth_call', params: [{ to: question.address, data: question.input }, tag] }
  }
}

function hexIn(answer: Answer): Hex | null {
  return answer.type === 'result' && typeof answer.result === 'string' && answer.result.startsWith('0x')
    ? (answer.result as Hex)
    : null
}
