// One JSON-RPC call to a node, for a look at it from the outside.
const TIMEOUT_MS = 5_000

/** The result, and the node's clock where it tells it (NaN otherwise). */
export const askNode = async (
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<{ result: unknown; dateMs: number }> => {
  const response = await fetch(url.replace(/^ws/, 'http'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return { result, dateMs: Date.parse(response.headers.get('date') ?? '') }
}
