import { parseJson } from './parse-json.ts'
// JSON-RPC 2.0 to the letter, over any transport: text in, text out (or nothing, for notifications). This file knows the protocol only,
// no method.
export type JsonRpcId = string | number | null
export type JsonRpcParams = readonly unknown[] | Readonly<Record<string, unknown>>

export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const LIMIT_EXCEEDED = -32005

/** A result that is already JSON text. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** For a request, an answer or a batch that is larger than this service allows. */
export function limitExceeded(message: string): JsonRpcError {
  return new JsonRpcError(LIMIT_EXCEEDED, message)
}

export type JsonRpcServer = {
  /** Gives a result or a promise of one, or throws; anything thrown that is not a JsonRpcError goes to `onBug`. */
  call: (method: string, params: JsonRpcParams) => unknown
  /** Maps an unexpected error to what the client may know of it. */
  onBug: (error: unknown, method: string) => JsonRpcError
  maxBatch: number
  /** An answer with more characters, and the rest of a batch after it, is replaced by an error. */
  maxResponseChars: number
  /** Calls of a batch that may be under way together; one if it is left out. */
  maxConcurrentCalls?: number
  /** Called before the first call with all requests, still unchecked: one request, or those of a batch. */
  begin?: (requests: readonly unknown[]) => void
}

/** The answer as text, or undefined when nothing is to be sent. A value, not a promise, if the single method gives a value. */
export function answerJsonRpc(server: JsonRpcServer, body: string): string | undefined | Promise<string | undefined> {
  let request: unknown
  try {
    request = parseJson(body)
  } catch {
    return errorText(null, new JsonRpcError(PARSE_ERROR, 'Parse error: the body is not JSON'))
  }
  if (!Array.isArray(request)) {
    server.begin?.([request])
    return answerOne(server, request)
  }
  if (request.length === 0) return errorText(null, new JsonRpcError(INVALID_REQUEST, 'Invalid request: empty batch'))
  if (request.length > server.maxBatch) {
    return errorText(null, limitExceeded(`Batch of ${request.length} is over the limit of ${server.maxBatch}`))
  }
  server.begin?.(request)
  return answerBatch(server, request)
}

async function answerBatch(server: JsonRpcServer, requests: readonly unknown[]): Promise<string | undefined> {
  const { maxConcurrentCalls = 1, maxResponseChars } = server
  const texts: string[] = []
  let chars = 0
  for (let start = 0; start < requests.length; start += maxConcurrentCalls) {
    const answers = requests
      .slice(start, start + maxConcurrentCalls)
      .map((request) => (chars > maxResponseChars ? refuseTooLarge(server, request) : answerOne(server, request)))
    for (const answer of answers) {
      const text = answer instanceof Promise ? await answer : answer
      if (text === undefined) continue
      chars += text.length
      texts.push(text)
    }
  }
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`
}

function refuseTooLarge(server: JsonRpcServer, request: unknown): string | undefined {
  const id = idOf(request)
  if (id === undefined) return undefined
  return errorText(id, responseTooLarge(server.maxResponseChars))
}

function responseTooLarge(limit: number): JsonRpcError {
  return limitExceeded(`The answer is over the limit of ${limit} characters`)
}

/** A result that is a value is answered by a value: a promise for each of a thousand small calls of a batch would cost more than they do. */
function answerOne(server: JsonRpcServer, request: unknown): string | undefined | Promise<string | undefined> {
  const checked = checkedRequest(request)
  if (checked instanceof JsonRpcError) return errorText(idOf(request) ?? null, checked)
  const { method, params, id } = checked
  const succeed = (result: unknown) => (id === undefined ? undefined : resultText(server, id, result))
  const fail = (error: unknown) => {
    if (id === undefined) return undefined
    return errorText(id, error instanceof JsonRpcError ? error : server.onBug(error, method))
  }
  try {
    const result = server.call(method, params)
    return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
  } catch (error) {
    return fail(error)
  }
}

type CheckedRequest = { method: string; params: JsonRpcParams; id: JsonRpcId | undefined }

function checkedRequest(request: unknown): CheckedRequest | JsonRpcError {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return new JsonRpcError(INVALID_REQUEST, 'Invalid request: not an object')
  }
  const { jsonrpc, method, params = [], id } = request as Record<string, unknown>
  if (jsonrpc !== '2.0') return new JsonRpcError(INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"')
  if (typeof method !== 'string') return new JsonRpcError(INVALID_REQUEST, 'Invalid request: method must be a string')
  if (typeof params !== 'object' || params === null) {
    return new JsonRpcError(INVALID_REQUEST, 'Invalid request: params must be an array')
  }
  if (id !== undefined && idOf(request) === undefined) {
    return new JsonRpcError(INVALID_REQUEST, 'Invalid request: id must be a string, a number or null')
  }
  return { method, params: params as JsonRpcParams, id: id as JsonRpcId | undefined }
}

/** A longer request is refused without reading it, not even its id. */
const MAX_ID_CHARS = 10_000

/** The id in the text of a single request, for a refusal of one that was not answered; null where there is none. */
export function idIn(text: string): JsonRpcId {
  try {
    return text.length > MAX_ID_CHARS ? null : (idOf(JSON.parse(text)) ?? null)
  } catch {
    return null
  }
}

function idOf(request: unknown): JsonRpcId | undefined {
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined
  const { id } = request
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined
}

function resultText({ maxResponseChars }: JsonRpcServer, id: JsonRpcId, result: unknown): string {
  const text = result instanceof JsonText ? result.text : JSON.stringify(result ?? null)
  if (text.length > maxResponseChars) return errorText(id, responseTooLarge(maxResponseChars))
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`
}

/** Also for a refusal before the request could be read; then the id is null. */
export function errorText(id: JsonRpcId, { code, message, data }: JsonRpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}
