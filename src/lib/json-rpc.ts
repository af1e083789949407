// JSON-RPC 2.0 to the letter, over any transport: text in, text out (or nothing, for notifications). What a method means
// is the caller's business; this file knows only the protocol.
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

export type JsonRpcServer = {
  /** Gives a result or throws; anything thrown that is not a JsonRpcError goes to `onBug`. */
  call: (method: string, params: JsonRpcParams) => unknown
  /** Turns an unexpected throw into what the client may know. */
  onBug: (error: unknown, method: string) => JsonRpcError
  maxBatch: number
  /** Longest answer in characters; a batch that grows past it answers its rest with an error. */
  maxResponseChars: number
}

/** The answer as text, or undefined when nothing is to be sent. */
export const answerJsonRpc = async (server: JsonRpcServer, body: string): Promise<string | undefined> => {
  let request: unknown
  try {
    request = JSON.parse(body)
  } catch {
    return errorText(null, new JsonRpcError(PARSE_ERROR, 'Parse error: the body is not JSON'))
  }
  if (!Array.isArray(request)) return answerOne(server, request)
  if (request.length === 0) return errorText(null, new JsonRpcError(INVALID_REQUEST, 'Invalid request: empty batch'))
  if (request.length > server.maxBatch) {
    const message = `Batch of ${request.length} is over the limit of ${server.maxBatch}`
    return errorText(null, new JsonRpcError(LIMIT_EXCEEDED, message))
  }
  return answerBatch(server, request)
}

const answerBatch = async (server: JsonRpcServer, requests: readonly unknown[]): Promise<string | undefined> => {
  const answers: string[] = []
  let chars = 0
  for (const request of requests) {
    const answer = chars > server.maxResponseChars ? overLimit(server, request) : await answerOne(server, request)
    if (answer === undefined) continue
    chars += answer.length
    answers.push(answer)
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`
}

const overLimit = (server: JsonRpcServer, request: unknown): string | undefined => {
  const id = idOf(request)
  if (id === undefined) return undefined
  const message = `The answer is over the limit of ${server.maxResponseChars} characters`
  return errorText(id, new JsonRpcError(LIMIT_EXCEEDED, message))
}

const answerOne = async (server: JsonRpcServer, request: unknown): Promise<string | undefined> => {
  const checked = checkedRequest(request)
  if (checked instanceof JsonRpcError) return errorText(idOf(request) ?? null, checked)
  const { method, params, id } = checked
  try {
    const result = await server.call(method, params)
    return id === undefined ? undefined : resultText(id, result)
  } catch (error) {
    if (id === undefined) return undefined
    return errorText(id, error instanceof JsonRpcError ? error : server.onBug(error, method))
  }
}

type Checked = { method: string; params: JsonRpcParams; id: JsonRpcId | undefined }

const checkedRequest = (request: unknown): Checked | JsonRpcError => {
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

const idOf = (request: unknown): JsonRpcId | undefined => {
  if (typeof request !== 'object' || request === null || !('id' in request)) return undefined
  const { id } = request
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined
}

const resultText = (id: JsonRpcId, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result ?? null)}}`

/** Also for what is refused before there is a request to read. */
export const errorText = (id: JsonRpcId, { code, message, data }: JsonRpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
