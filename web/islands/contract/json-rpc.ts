// Our own JSON-RPC, and its refusals in words.
import { type Abi, decodeErrorResult } from 'viem'

const TIMEOUT_MS = 20_000

/** Something to tell the reader; `data` is what a revert came with. */
export class CallFailure extends Error {
  readonly data: string | undefined

  constructor(message: string, data?: string) {
    super(message)
    this.data = data
  }
}

type Spoken = { readonly result?: unknown; readonly error?: { readonly message: string; readonly data?: unknown } }

export async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch('/flashblocks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { result, error } = (await response.json()) as Spoken
  if (error) throw new CallFailure(error.message, typeof error.data === 'string' ? error.data : undefined)
  return result
}

/** By the contract's own errors where the data are one of them. */
export function errorText(abi: Abi, error: unknown): string {
  const { message = String(error), data } = error as { message?: string; data?: unknown }
  const bytes = typeof data === 'string' ? data : (data as { data?: string } | undefined)?.data
  if (!bytes || bytes === '0x') return message.split('\n')[0]!
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: bytes as `0x${string}` })
    const values = (args as readonly unknown[]).map((value) => (typeof value === 'string' ? value : plain(value)))
    return errorName === 'Error' ? `Reverted: ${values[0]}` : `Reverted: ${errorName}(${values.join(', ')})`
  } catch {
    return `${message} ${bytes}`
  }
}

function plain(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    : String(value)
}
