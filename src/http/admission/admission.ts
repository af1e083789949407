// Decides whether a request may pass: rate limit of its address, signature of a known key, rate limit of the key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator, Credentials } from '../../access/authenticate.ts'
import type { KeyRing } from '../../access/key-ring.ts'
import type { Allowance, RateLimiter } from '../../access/rate-limits.ts'
import { Failure } from '../../contract/failure.ts'

export type Admission = {
  /** Before the body is read: rate limit of the address, format and timestamp of the credentials. */
  readCredentials: (request: FastifyRequest, reply: FastifyReply) => Promise<Credentials | 'unsigned'>
  /** With the body: the signature, then the rate limit of the key. */
  admitSigned: (
    credentials: Credentials | 'unsigned',
    request: FastifyRequest,
    reply: FastifyReply,
    body: Uint8Array,
  ) => Promise<KeyId | undefined>
  /** A key without a signature, for clients of other APIs; it allows reading only. */
  admitKey: (key: string | undefined, request: FastifyRequest, reply: FastifyReply) => Promise<KeyId | undefined>
  /** The rate limit of the address only, for routes without a signature. */
  limitAddress: (request: Sent, reply: Pick<FastifyReply, 'raw'>) => Promise<void>
}

/** What the rate limit of an address depends on. */
type Sent = Pick<FastifyRequest, 'ip' | 'headers'>

/** Of the key that the request was admitted with; undefined where it needs none. */
type KeyId = string

export type OnKeyUse = (keyId: string, route: string) => void

export function createAdmission(options: {
  authenticator: Authenticator
  keyRing: Pick<KeyRing, 'find'>
  /** Accept unsigned requests, from loopback only. */
  unsignedFromLoopback: boolean
  perKey: RateLimiter | undefined
  perAddress: RateLimiter | undefined
  /** Called for every request that a key was accepted for, with the label of its route. */
  onKeyUse?: OnKeyUse
}): Admission {
  const { authenticator, keyRing, unsignedFromLoopback, perKey, perAddress, onKeyUse } = options

  const addressAllowance = (request: FastifyRequest, reply: FastifyReply) =>
    allowanceOfAddress(perAddress, request, reply)

  const takeFromKey = async (id: string, reply: FastifyReply): Promise<void> => {
    const allowance = await perKey?.take(id)
    if (allowance) {
      refuseIfSpent(allowance, reply, 'this key')
      setRateLimitHeaders(allowance, reply)
    }
    onKeyUse?.(id, reply.request.routeOptions.config.label ?? 'other')
  }

  return {
    limitAddress: createAddressLimit(perAddress).limitAddress,
    readCredentials: async (request, reply) => {
      const allowance = await addressAllowance(request, reply)
      try {
        // The headers of a signed request report the rate limit of its key, which is checked later.
        return authenticator.credentialsFrom(request.headers)
      } catch (error) {
        if (allowance) setRateLimitHeaders(allowance, reply)
        if (unsignedFromLoopback && isUnsigned(error) && isFromLoopback(request)) return 'unsigned'
        throw error
      }
    },
    admitSigned: async (credentials, request, reply, body) => {
      if (credentials === 'unsigned') return undefined
      const { method, url } = request.raw
      const key = await authenticator.verify(credentials, { method: method!, target: url!, body })
      await takeFromKey(key.id, reply)
      return key.id
    },
    admitKey: async (id, request, reply) => {
      if (!id && unsignedFromLoopback && isFromLoopback(request)) return undefined
      if (!id) throw new Failure('keyMissing', 'Missing API key.')
      const key = await keyRing.find(id)
      if (!key) throw new Failure('keyUnknown', 'Invalid API key: no such key, or it was revoked.')
      await takeFromKey(key.id, reply)
      return key.id
    },
  }
}

/** The rate limit of an address for routes without a signature, and for messages on a socket, each of which costs as much as a request. */
export type AddressLimit = Pick<Admission, 'limitAddress'> & {
  /** Refuses with a Failure. */
  limitMessage: (ip: string, bytes: number) => Promise<void>
}

/** With a local limiter this works while the database is down. */
export function createAddressLimit(perAddress: RateLimiter | undefined): AddressLimit {
  return {
    limitAddress: async (request, reply) => {
      const allowance = await allowanceOfAddress(perAddress, request, reply)
      if (allowance) setRateLimitHeaders(allowance, reply)
    },
    limitMessage: async (ip, bytes) => {
      const allowance = await perAddress?.take(addressGroup(ip), tokensFor(bytes))
      if (allowance && !allowance.allowed) throw rateUsedUp(allowance, 'this address')
    },
  }
}

/** Receiving and reading a body is work too: each part of it of this size costs as much as a request. */
const BYTES_PER_TOKEN = 10_000

function tokensFor(bodyBytes: number): number {
  return bodyBytes > BYTES_PER_TOKEN ? Math.ceil(bodyBytes / BYTES_PER_TOKEN) : 1
}

async function allowanceOfAddress(
  perAddress: RateLimiter | undefined,
  { ip, headers }: Sent,
  reply: Pick<FastifyReply, 'raw'>,
): Promise<Allowance | undefined> {
  const allowance = await perAddress?.take(addressGroup(ip), tokensFor(Number(headers['content-length'] ?? 0)))
  if (allowance) refuseIfSpent(allowance, reply, 'this address')
  return allowance
}

function setRateLimitHeaders(allowance: Allowance, reply: Pick<FastifyReply, 'raw'>): void {
  reply.raw.setHeader('RateLimit-Limit', allowance.limit)
  reply.raw.setHeader('RateLimit-Remaining', allowance.remaining)
  reply.raw.setHeader('RateLimit-Reset', allowance.resetS)
}

function refuseIfSpent(allowance: Allowance, reply: Pick<FastifyReply, 'raw'>, whose: string): void {
  if (allowance.allowed) return
  setRateLimitHeaders(allowance, reply)
  throw rateUsedUp(allowance, whose)
}

function rateUsedUp({ retryAfterS }: Allowance, whose: string): Failure {
  return new Failure('tooManyRequests', `Requests too frequent: the rate of ${whose} is used up.`, { retryAfterS })
}

function isUnsigned(error: unknown): boolean {
  return error instanceof Failure && error.key === 'keyMissing'
}

/** Behind a proxy on this machine every request would seem local, so a forwarded request never counts as local. */
export function isFromLoopback({ raw, headers }: FastifyRequest): boolean {
  return (
    isLoopback(raw.socket.remoteAddress ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined
  )
}

/** The host is checked as well: otherwise another site could point its name at this machine and read the answer. */
export function isOnThisMachine(request: FastifyRequest): boolean {
  return isFromLoopback(request) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address)
}

/** Browsers say where a form was sent from. A client that does not say so is no browser, so nobody can abuse its cookies. */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)
}

/** For @fastify/formbody: a field that is sent twice keeps its last value, so every field is one text. */
export function parseForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

const GROUPS = 8
const NETWORK_GROUPS = 4
const IPV4 = /\d{1,3}(?:\.\d{1,3}){3}/

/**
 * Addresses with the same group count as one client. A customer usually gets an IPv6 /64 network, so its first four groups count. Some proxies
 * add a port, and a dual-stack socket writes IPv4 as `::ffff:127.0.0.1`.
 */
export function addressGroup(address: string): string {
  const ipv4 = IPV4.exec(address)
  if (ipv4) return ipv4[0]
  const [before = '', after] = address.replace(/^\[|\].*$/g, '').split('::')
  const head = groupsOf(before)
  const tail = groupsOf(after ?? '')
  const zeros = after === undefined ? 0 : Math.max(0, GROUPS - head.length - tail.length)
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, NETWORK_GROUPS).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
