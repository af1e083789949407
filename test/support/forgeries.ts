// Signatures as someone would make them who does not have the secret, or has a right signature of something else.
import { createHmac, randomBytes } from 'node:crypto'
import type { ApiCredentials } from '../../src/client/sign.ts'
import { type Sent, signedHeaders } from './sender.ts'

type Stamped = Sent & { timestamp: string }

/** The `i`-th of an endless row of wrong signatures for the request, of sixteen kinds in turn. */
export function forgedSignature(
  { victim, other }: { victim: ApiCredentials; other: ApiCredentials },
  request: Stamped,
  i: number,
): string {
  const { timestamp, method = 'GET', target, body = '' } = request
  const text = `${timestamp}${method}${target}${body}`
  const digest = (secret: string, algorithm = 'sha256') => createHmac(algorithm, secret).update(text).digest()
  const right = digest(victim.secret)
  const rightFor = (changed: Partial<Stamped>) => signedHeaders(victim, { ...request, ...changed })['svc-access-sign']!
  const kinds = [
    () => randomBytes(32).toString('base64'),
    () => rightFor({ target: `${target}&page=2` }),
    () => rightFor({ body: `${body} ` }),
    () => rightFor({ method: 'PUT' }),
    () => rightFor({ timestamp: new Date(Date.parse(timestamp) - 1).toISOString() }),
    () => digest(other.secret).toString('base64'),
    () => digest(victim.secret.toLowerCase()).toString('base64'),
    () => digest('').toString('base64'),
    () => digest(victim.passphrase).toString('base64'),
    () => right.toString('base64').slice(0, 4 * (i % 11)) || 'A',
    () => right.subarray(0, 31).toString('base64'),
    () => digest(victim.secret, 'sha512').toString('base64'),
    () => right.toString('hex'),
    () => Buffer.from(right.toString('hex')).toString('base64'),
    () => withBitFlipped(right, i % 256).toString('base64'),
    () => '='.repeat(44),
  ]
  return kinds[Math.floor(i / 2) % kinds.length]!()
}

/** Ways to write the same 32 bytes that are not their base64. */
export function otherSpellingsOf(sign: string): string[] {
  const bytes = Buffer.from(sign, 'base64')
  return [
    sign.replace(/=$/, ''),
    `${sign}=`,
    `${sign.slice(0, 20)}*${sign.slice(20)}`,
    `${sign.slice(0, 20)} ${sign.slice(20)}`,
    `${sign}AAAA`,
    bytes.toString('hex'),
    bytes.toString('base64url'),
    withOtherSpareBits(sign),
  ]
}

const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The last digit before the padding carries two bits that mean nothing; this sets one of them. */
function withOtherSpareBits(sign: string): string {
  return `${sign.slice(0, 42)}${BASE64_DIGITS[BASE64_DIGITS.indexOf(sign[42]!) + 1]}=`
}

function withBitFlipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}
