// The node as pages ask it: the same JSON-RPC that clients get, in process, with the preconfirmed chain on top.
import { Failure } from '../../contract/failure.ts'
import type { RpcChannel } from '../../rpc/server/channel.ts'

export type NodeCall = readonly [method: string, ...params: unknown[]]
export type NodeAnswer =
  | { readonly type: 'result'; readonly result: unknown }
  /** What the node or the pending chain said. */
  | { readonly type: 'refusal'; readonly reason: string }

export type PendingNode = {
  /** One answer a call, in order, all from one view of the pending chain. */
  ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]>
  status: RpcChannel['status']
}

type Spoken = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

export function createPendingNode({ answer, status }: Pick<RpcChannel, 'answer' | 'status'>): PendingNode {
  return {
    status,
    async ask(calls) {
      const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
      const { text = '[]' } = await answer(JSON.stringify(batch))
      const spoken = JSON.parse(text) as Spoken[] | Spoken
      // A batch that is refused as a whole is answered by one error.
      if (!Array.isArray(spoken)) throw new Failure('notReady', spoken.error?.message ?? 'The node does not answer.')
      const byId = new Map(spoken.map((each) => [each.id, each]))
      return calls.map((_, id): NodeAnswer => {
        const { result, error } = byId.get(id) ?? { error: { message: 'no answer' } }
        return error ? { type: 'refusal', reason: error.message } : { type: 'result', result: result ?? null }
      })
    },
  }
}
