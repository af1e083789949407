// The JSON-RPC of this server, and its errors as text.
import { type Abi, decodeErrorResult } from 'viem'

const TIMEOUT_MS = 20_000

/** The message is shown to the reader; `data` is the revert data. */
export class CallFailure extends Error {
  readonly data: string | undefined

  constructor(message: string, data?: string) {
    super(message)
    this.data = data
  }
}

type JsonRpcResponse = {
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: unknown }
}

export async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch('/flashblocks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { result, error } = (await response.json()) as JsonRpcResponse
  if (error) throw new CallFailure(error.message, typeof error.data === 'string' ? error.data : undefined)
  return result
}

/** Decoded with the ABI of the contract where the data is one of its errors. */
export function errorText(abi: Abi, error: unknown): string {
  const { message = String(error), data } = error as { message?: string; data?: unknown }
  const bytes = typeof data === 'string' ? data : (data as { data?: string } | undefined)?.data
  if (!bytes || bytes === '0x') return message.split('\n')[0]!
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: bytes as `0x${string}` })
    const values = (args as readonly unknown[]).map((value) => (typeof value === 'string' ? value : valueText(value)))
    return errorName === 'Error' ? `Reverted: ${values[0]}` : `Reverted: ${errorName}(${values.join(', ')})`
  } catch {
    return `${message} ${bytes}`
  }
}

function valueText(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    : String(value)
}
