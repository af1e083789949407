// JSON-RPC for pages: the same answers that clients get, from this process, pending chain included.
import { Failure } from '../../contract/failure.ts'
import type { RpcChannel } from '../../rpc/server/channel.ts'

export type NodeCall = readonly [method: string, ...params: unknown[]]
export type NodeAnswer =
  | { readonly type: 'result'; readonly result: unknown }
  /** The error text of the node or of the pending chain. */
  | { readonly type: 'refusal'; readonly reason: string }

export type PendingNode = {
  /** One answer per call, in order, all from one snapshot of the pending chain. */
  ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]>
  status: RpcChannel['status']
}

type JsonRpcResponse = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

/** The client pays for the work. */
export function pendingNodeFor(client: string, { answer, status }: Pick<RpcChannel, 'answer' | 'status'>): PendingNode {
  return {
    status,
    async ask(calls) {
      const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
      const { text = '[]' } = await answer(JSON.stringify(batch), {
        client,
        isGone: () => false,
        whenGone: () => undefined,
      })
      const responses = JSON.parse(text) as JsonRpcResponse[] | JsonRpcResponse
      // A batch that is refused as a whole is answered by one error.
      if (!Array.isArray(responses))
        throw new Failure('notReady', responses.error?.message ?? 'The node does not answer.')
      const byId = new Map(responses.map((each) => [each.id, each]))
      return calls.map((_, id): NodeAnswer => {
        const { result, error } = byId.get(id) ?? { error: { message: 'no answer' } }
        return error ? { type: 'refusal', reason: error.message } : { type: 'result', result: result ?? null }
      })
    },
  }
}
