// The closed table of refusals. A Failure is thrown anywhere and spelled out only at the two edges: as an envelope with
// an HTTP status (http/admission/envelope.ts) and as a JSON-RPC error (rpc/server/dispatch.ts). Codes: docs/spec-gaps.md#6 and #43.

type Refusal = {
  /** `code` of the explorer envelope. */
  code: string
  /** HTTP status of the explorer API. */
  status: number
  /** `error.code` of JSON-RPC. */
  rpc: number
  /** Can the same request succeed later? */
  retry: boolean
}

export const refusals = {
  bodyEmpty: { code: '50000', status: 400, rpc: -32600, retry: false },
  notReady: { code: '50001', status: 503, rpc: -32000, retry: true },
  bodyNotJson: { code: '50002', status: 400, rpc: -32700, retry: false },
  requestTimeout: { code: '50004', status: 408, rpc: -32603, retry: true },
  unknownPath: { code: '50005', status: 404, rpc: -32601, retry: false },
  contentType: { code: '50006', status: 400, rpc: -32600, retry: false },
  tooManyRequests: { code: '50011', status: 429, rpc: -32005, retry: true },
  parameterMissing: { code: '50014', status: 400, rpc: -32602, retry: false },
  tooManyValues: { code: '50025', status: 200, rpc: -32602, retry: false },
  internal: { code: '50026', status: 500, rpc: -32603, retry: true },
  unknownToken: { code: '50037', status: 200, rpc: -32602, retry: false },
  unknownChain: { code: '50038', status: 200, rpc: -32602, retry: false },
  unknownHeight: { code: '50040', status: 200, rpc: -32602, retry: false },
  timestampExpired: { code: '50102', status: 401, rpc: -32600, retry: true },
  keyMissing: { code: '50103', status: 401, rpc: -32600, retry: false },
  passphraseMissing: { code: '50104', status: 401, rpc: -32600, retry: false },
  passphraseWrong: { code: '50105', status: 401, rpc: -32600, retry: false },
  signatureMissing: { code: '50106', status: 401, rpc: -32600, retry: false },
  timestampMissing: { code: '50107', status: 401, rpc: -32600, retry: false },
  keyUnknown: { code: '50111', status: 401, rpc: -32600, retry: false },
  timestampMalformed: { code: '50112', status: 401, rpc: -32600, retry: false },
  signatureWrong: { code: '50113', status: 401, rpc: -32600, retry: false },
  signatureReplayed: { code: '50113', status: 401, rpc: -32600, retry: false },
  methodNotAllowed: { code: '50115', status: 405, rpc: -32600, retry: false },
  parameterWrong: { code: '51000', status: 400, rpc: -32602, retry: false },
  bodyTooLarge: { code: '51000', status: 413, rpc: -32600, retry: false },
  targetTooLong: { code: '51000', status: 414, rpc: -32600, retry: false },
  headersTooLarge: { code: '51000', status: 431, rpc: -32600, retry: false },
  expectationFailed: { code: '51000', status: 417, rpc: -32600, retry: false },
  malformedRequest: { code: '51000', status: 400, rpc: -32600, retry: false },
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
