// Reads many values from contracts in one call.

import { decodeAbiParameters, decodeFunctionResult } from 'viem/utils'
import { addressToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { artifactOf } from '../contracts/artifact.ts'
import { callOf } from '../contracts/calldata.ts'
import type { ContractName } from '../contracts/catalogue.ts'
import { MULTICALL3 } from '../genesis/predeploys.ts'

export type Reading = {
  readonly contract: ContractName
  readonly at: Hex
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** The answers in the order of the readings; undefined where a call failed. */
export async function readContracts(rpc: Rpc, readings: readonly Reading[]): Promise<unknown[]> {
  const calls = readings.map(({ contract, at, functionName, args }) => ({
    target: at,
    allowFailure: true,
    callData: callOf(contract, functionName, args),
  }))
  const data = callOf('Multicall3', 'aggregate3', [calls])
  const answer = await rpc.request<Hex>('eth_call', { to: addressToHex(MULTICALL3), data }, 'latest')
  const [results] = decodeAbiParameters(RESULTS, answer)
  return readings.map(({ contract, functionName }, index) => {
    const { success, returnData } = results[index]!
    if (!success) return undefined
    return decodeFunctionResult({ abi: artifactOf(contract).abi, functionName, data: returnData })
  })
}

const RESULTS = [
  {
    type: 'tuple[]',
    components: [
      { name: 'success', type: 'bool' },
      { name: 'returnData', type: 'bytes' },
    ],
  },
] as const

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] }
export type RpcAnswer = { readonly result: unknown } | { readonly error: string }

export type Rpc = {
  /** Sends many requests at once; the answers come in the order of the requests. */
  batch(requests: readonly RpcRequest[]): Promise<RpcAnswer[]>
  /** Sends one request and throws where it is refused. */
  request<T>(method: string, ...params: readonly unknown[]): Promise<T>
}

export function createRpc(url: string, signal: AbortSignal): Rpc {
  const batch = async (requests: readonly RpcRequest[]) => {
    const answers: RpcAnswer[] = []
    for (let from = 0; from < requests.length; from += BATCH_LIMIT) {
      answers.push(...(await post(url, requests.slice(from, from + BATCH_LIMIT), signal)))
    }
    return answers
  }
  const request = async <T>(method: string, ...params: readonly unknown[]) => {
    const [answer] = await batch([{ method, params }])
    if (!answer || 'error' in answer) throw new Error(`${method} was refused: ${answer?.error}`)
    return answer.result as T
  }
  return { batch, request }
}

const BATCH_LIMIT = 100
const TIMEOUT_MS = 10_000

async function post(url: string, requests: readonly RpcRequest[], signal: AbortSignal): Promise<RpcAnswer[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }))),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) throw new Error(`The node answered with HTTP status ${response.status}`)
  const replies = (await response.json()) as Reply[]
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return requests.map((_, id) => toAnswer(byId.get(id)))
}

type Reply = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

function toAnswer(reply: Reply | undefined): RpcAnswer {
  if (!reply) return { error: 'no answer' }
  return reply.error ? { error: reply.error.message } : { result: reply.result }
}
