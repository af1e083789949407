// What an answer of JSON-RPC has to do with its HTTP response: headers, and that the client may leave before it comes.
import type { ServerResponse } from 'node:http'
import type { RpcCaller } from '../../rpc/server/channel.ts'
import type { RpcAnswer } from '../../rpc/server/server.ts'

/** Work for a client that has left is abandoned. */
export function callerOf(client: string, response: ServerResponse): RpcCaller {
  const caller: RpcCaller = { client, isGone: () => response.destroyed, onGone: undefined }
  response.once('close', () => {
    if (!response.writableFinished) caller.onGone?.()
  })
  return caller
}

export function setAnswerHeaders(response: ServerResponse, { ageMs, work }: Omit<RpcAnswer, 'text'>): void {
  if (ageMs !== undefined) response.setHeader('flashblocks-age-ms', ageMs)
  if (work === undefined) return
  response.setHeader('Work-Limit', work.limit)
  response.setHeader('Work-Remaining', work.remaining)
  response.setHeader('Work-Reset', work.resetS)
}
