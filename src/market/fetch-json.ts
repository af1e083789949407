// Fetches JSON from a source that the operator configured. The source may be slow, broken or endless, so time and size are limited.
import { withoutCredentials } from '../lib/log.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 20_000_000

/** The source failed. The message names it without login, query and possible keys in its path. */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed'
}

export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const name = withoutCredentials(url.origin + url.pathname)
  try {
    const response = await fetch(withoutLogin(url), {
      headers: { accept: 'application/json', ...loginHeader(url) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (!response.ok) throw new SourceFailed(`${name} answers ${response.status}`)
    return JSON.parse(await boundedText(response, name))
  } catch (error) {
    if (error instanceof SourceFailed) throw error
    throw new SourceFailed(`${name} gave no JSON: ${withoutCredentials((error as Error).message)}`, { cause: error })
  }
}

/** `fetch` refuses a URL with a login, so that goes into a header. */
function withoutLogin(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

function loginHeader({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

async function boundedText(response: Response, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new SourceFailed(`${name} sends more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
