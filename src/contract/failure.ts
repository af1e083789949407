// The closed table of refusals. A Failure is thrown anywhere and spelled out only at the two edges: as an envelope with
// an HTTP status (http/admission/envelope.ts) and as a JSON-RPC error (rpc/server/server.ts). Codes: docs/spec-gaps.md#6 and #43.

type Refusal = {
  /** `code` of the explorer envelope. */
  code: string
  /** HTTP status of the explorer API. */
  status: number
  /** `error.code` of JSON-RPC. */
  rpc: number
}

export const refusals = {
  bodyEmpty: { code: '50000', status: 400, rpc: -32600 },
  notReady: { code: '50001', status: 503, rpc: -32000 },
  queueFull: { code: '50001', status: 503, rpc: -32000 },
  bodyNotJson: { code: '50002', status: 400, rpc: -32700 },
  requestTimeout: { code: '50004', status: 408, rpc: -32603 },
  unknownPath: { code: '50005', status: 404, rpc: -32601 },
  contentType: { code: '50006', status: 400, rpc: -32600 },
  tooManyRequests: { code: '50011', status: 429, rpc: -32005 },
  parameterMissing: { code: '50014', status: 400, rpc: -32602 },
  tooManyValues: { code: '50025', status: 200, rpc: -32602 },
  internal: { code: '50026', status: 500, rpc: -32603 },
  unknownToken: { code: '50037', status: 200, rpc: -32602 },
  unknownChain: { code: '50038', status: 200, rpc: -32602 },
  unknownHeight: { code: '50040', status: 200, rpc: -32602 },
  timestampExpired: { code: '50102', status: 401, rpc: -32600 },
  keyMissing: { code: '50103', status: 401, rpc: -32600 },
  passphraseMissing: { code: '50104', status: 401, rpc: -32600 },
  passphraseWrong: { code: '50105', status: 401, rpc: -32600 },
  signatureMissing: { code: '50106', status: 401, rpc: -32600 },
  timestampMissing: { code: '50107', status: 401, rpc: -32600 },
  keyUnknown: { code: '50111', status: 401, rpc: -32600 },
  timestampMalformed: { code: '50112', status: 401, rpc: -32600 },
  signatureWrong: { code: '50113', status: 401, rpc: -32600 },
  signatureReplayed: { code: '50113', status: 401, rpc: -32600 },
  methodNotAllowed: { code: '50115', status: 405, rpc: -32600 },
  parameterWrong: { code: '51000', status: 400, rpc: -32602 },
  bodyTooLarge: { code: '51000', status: 413, rpc: -32600 },
  targetTooLong: { code: '51000', status: 414, rpc: -32600 },
  headersTooLarge: { code: '51000', status: 431, rpc: -32600 },
  expectationFailed: { code: '51000', status: 417, rpc: -32600 },
  malformedRequest: { code: '51000', status: 400, rpc: -32600 },
} as const satisfies Record<string, Refusal>

export type FailureKey = keyof typeof refusals

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly key: FailureKey
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterS: number | undefined

  constructor(key: FailureKey, message: string, options: { cause?: unknown; retryAfterS?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.key = key
    this.retryAfterS = options.retryAfterS
  }

  get refusal(): Refusal {
    return refusals[this.key]
  }
}
