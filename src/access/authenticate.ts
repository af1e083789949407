// Checks a signed request (docs/spec-gaps.md#2 to #4): headers, then time, then signature, then passphrase. The
// signature comes before the passphrase, so that nobody without the secret can make us compute slow hashes.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { Failure, type FailureKey } from '../contract/failure.ts'
import type { UsedSignatureStore } from '../store/keys/used-signatures.ts'
import type { KeyRing, KnownKey } from './key-ring.ts'

/** The farthest that a timestamp may be from the server's clock. */
export const WINDOW_MS = 30_000

export type Headers = Readonly<Record<string, string | string[] | undefined>>
export type Credentials = { key: string; sign: string; timestamp: string; passphrase: string; atMs: number }

export type Authenticator = {
  /** Credentials whose form and time are right; throws a Failure that names the header. Needs no body. */
  credentialsFrom: (headers: Headers) => Credentials
  /** Returns the key that signed exactly these bytes. */
  verify: (credentials: Credentials, request: SignedRequest) => Promise<KnownKey>
}

export type SignedRequest = {
  method: string
  /** The request line's target exactly as it was received. */
  target: string
  body: Uint8Array
}

const SIGNATURE_BYTES = 32
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
/** How much of a long target an error repeats. */
const SHOWN_CHARS = 300

const parts = ['key', 'sign', 'timestamp', 'passphrase'] as const
const missing = {
  key: 'keyMissing',
  sign: 'signatureMissing',
  timestamp: 'timestampMissing',
  passphrase: 'passphraseMissing',
} as const satisfies Record<(typeof parts)[number], FailureKey>

export function createAuthenticator(options: {
  prefixes: readonly string[]
  keyRing: KeyRing
  signatures: UsedSignatureStore
  nowMs: () => number
}): Authenticator {
  const { keyRing, signatures, nowMs } = options
  const names = options.prefixes.map((prefix) => ({
    key: `${prefix}-ACCESS-KEY`.toLowerCase(),
    sign: `${prefix}-ACCESS-SIGN`.toLowerCase(),
    timestamp: `${prefix}-ACCESS-TIMESTAMP`.toLowerCase(),
    passphrase: `${prefix}-ACCESS-PASSPHRASE`.toLowerCase(),
  }))
  const headerPrefix = options.prefixes[0]!.toUpperCase()
  // An unknown key is checked against this one, so that the answer takes as long as for a known key with a wrong signature.
  const decoy: KnownKey = { id: '', hmacKey: createSecretKey('0'.repeat(32), 'utf8'), passphraseIs: () => false }

  const headerOf = (headers: Headers, part: (typeof parts)[number]): string => {
    for (const name of names) {
      const value = headers[name[part]]
      if (typeof value === 'string' && value !== '') return value
    }
    throw new Failure(missing[part], `Request header "${headerPrefix}-ACCESS-${part.toUpperCase()}" can not be empty.`)
  }

  return {
    credentialsFrom: (headers) => {
      const key = headerOf(headers, 'key')
      const sign = headerOf(headers, 'sign')
      const timestamp = headerOf(headers, 'timestamp')
      const passphrase = headerOf(headers, 'passphrase')
      const atMs = instantOf(timestamp)
      const now = nowMs()
      if (Number.isNaN(atMs)) {
        throw new Failure(
          'timestampMalformed',
          `Invalid ${headerPrefix}-ACCESS-TIMESTAMP: must be ISO 8601 in UTC such as ${new Date(now).toISOString()}.`,
        )
      }
      if (Math.abs(now - atMs) > WINDOW_MS) {
        throw new Failure(
          'timestampExpired',
          `Timestamp request expired: ${headerPrefix}-ACCESS-TIMESTAMP is ${((now - atMs) / 1000).toFixed(1)} s off; ` +
            `at most ${WINDOW_MS / 1000} s are allowed. The server's time is ${new Date(now).toISOString()}.`,
        )
      }
      return { key, sign, timestamp, passphrase, atMs }
    },
    verify: async (credentials, request) => {
      const { key: id, passphrase } = credentials
      const found = await keyRing.find(id)
      const signature = Buffer.from(credentials.sign, 'base64')
      const isSpelledRight = signature.toString('base64') === credentials.sign
      const matches = signatureMatches(found ?? decoy, credentials.timestamp, request, signature) && isSpelledRight
      if (!found) throw new Failure('keyUnknown', `Invalid ${headerPrefix}-ACCESS-KEY: no such key, or it was revoked.`)
      if (!matches) throw new Failure('signatureWrong', signatureAdvice(credentials.timestamp, request))
      if (!(await found.passphraseIs(passphrase))) {
        throw new Failure('passphraseWrong', `Request header "${headerPrefix}-ACCESS-PASSPHRASE" incorrect.`)
      }
      if (request.method !== 'GET' && !(await signatures.use(signature, credentials.atMs + 2 * WINDOW_MS))) {
        throw new Failure(
          'signatureReplayed',
          'Invalid signature: this very request was accepted before. Sign it again.',
        )
      }
      return found
    },
  }
}

/** Milliseconds; NaN for a malformed timestamp, and for a day that does not exist, which Date would roll over. */
function instantOf(timestamp: string): number {
  if (!ISO_UTC.test(timestamp)) return Number.NaN
  const atMs = Date.parse(timestamp)
  const isReal = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(timestamp.slice(0, TO_THE_SECOND))
  return isReal ? atMs : Number.NaN
}

const TO_THE_SECOND = '2026-11-15T00:00:00'.length

function signatureMatches(key: KnownKey, timestamp: string, request: SignedRequest, signature: Buffer): boolean {
  // Node decodes the request line as latin1, one byte per character, so encoding it as latin1 restores the bytes of the wire.
  const hmac = createHmac('sha256', key.hmacKey).update(timestamp + request.method + request.target, 'latin1')
  const expected = (request.body.length > 0 ? hmac.update(request.body) : hmac).digest()
  const comparable = signature.length === SIGNATURE_BYTES ? signature : NO_SIGNATURE
  return timingSafeEqual(expected, comparable) && comparable === signature
}

const NO_SIGNATURE = Buffer.alloc(SIGNATURE_BYTES)

function signatureAdvice(timestamp: string, { method, target, body }: SignedRequest): string {
  const shown = target.length > SHOWN_CHARS ? `${target.slice(0, SHOWN_CHARS)}...` : target
  const tail = body.length > 0 ? ` followed by the ${body.length} bytes of the body` : ''
  return `Invalid signature. It must be base64(hmac-sha256(secret, text)) with the text ${timestamp}${method}${shown}${tail}.`
}
