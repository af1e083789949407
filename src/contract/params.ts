// The vocabulary of request parameters. Everything arrives as a string (query) or JSON value (body of a POST) and
// leaves parsed: heights and times as numbers, hex in lower case, lists as arrays, amounts as exact decimal strings.
// `.meta` feeds docs/openapi.json; the message of each rule ends the sentence "Parameter x error: ...".
import { z } from 'zod'

const MAX_HEIGHT = 2 ** 33
const MAX_TEXT = 256
/** Hashes per call of E10, E11 and E13 (§8). */
const MAX_HASHES = 20
/** An unsigned 256-bit amount has 78 digits. */
const AMOUNT = /^\d{1,78}(\.\d{1,78})?$/

/** Addresses and hashes leave as this type, in lower case, so that nothing inside casts. */
type Hex = `0x${string}`

function lowerCase(hex: string): Hex {
  return hex.toLowerCase() as Hex
}

/** A string with a rule, optionally parsed into something else; the parser sees only strings that obey the rule. */
function text(rule: string, pattern: RegExp) {
  return z.string(rule).regex(pattern, { error: rule, abort: true })
}

function integer(rule: string, { min, max }: { min: number; max: number }) {
  return text(rule, /^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
}

export const chainShortName = z
  .string('must be the chain’s short name')
  .max(64, 'must be the chain’s short name')
  .meta({ description: 'Abbreviation of the chain, any case', example: 'DEV' })

export const address = text('must be 0x followed by 40 hex digits', /^0x[0-9a-fA-F]{40}$/)
  .transform(lowerCase)
  .meta({ description: 'An address, any case', example: '0x4200000000000000000000000000000000000006' })

export const hash = text('must be 0x followed by 64 hex digits', /^0x[0-9a-fA-F]{64}$/)
  .transform(lowerCase)
  .meta({ description: 'A 32-byte hash', example: `0x${'ab'.repeat(32)}` })

export const hashes = text(
  'must be transaction hashes (0x and 64 hex digits) separated by commas',
  /^0x[0-9a-fA-F]{64}(,0x[0-9a-fA-F]{64})*$/,
)
  .transform((value) => value.split(',').map(lowerCase))
  .refine((list) => list.length <= MAX_HASHES, { error: `at most ${MAX_HASHES}`, params: { key: 'tooManyValues' } })
  .meta({ description: `Up to ${MAX_HASHES} transaction hashes, comma-separated`, example: `0x${'ab'.repeat(32)}` })

export const topic = text('must be 0x followed by 64 hex digits', /^0x[0-9a-fA-F]{64}$/)
  .transform(lowerCase)
  .meta({ description: 'A topic of a log', example: `0x${'ab'.repeat(32)}` })

/** Addresses per call where several are taken. */
const MAX_ADDRESSES = 20

export const addresses = text(
  'must be addresses (0x and 40 hex digits) separated by commas',
  /^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$/,
)
  .transform((value) => value.split(',').map(lowerCase))
  .refine((list) => list.length <= MAX_ADDRESSES, {
    error: `at most ${MAX_ADDRESSES}`,
    params: { key: 'tooManyValues' },
  })
  .meta({
    description: `Up to ${MAX_ADDRESSES} addresses, comma-separated`,
    example: '0x4200000000000000000000000000000000000006',
  })

export const height = integer(`must be a block height from 0 to ${MAX_HEIGHT}`, { min: 0, max: MAX_HEIGHT }).meta({
  description: 'A block height',
  example: '1024',
})

export const flashblockIndex = integer('must be an index from 0 to 1023', { min: 0, max: 1_023 }).meta({
  description: 'Index of a flashblock in its block',
  example: '2',
})

export const timestampMs = integer('must be Unix time in milliseconds', { min: 0, max: 10 ** 15 - 1 }).meta({
  description: 'Unix time in milliseconds',
  example: '1700000000000',
})

export const amount = text('must be a plain decimal number, not negative', AMOUNT).meta({
  description: 'A decimal amount in whole units',
  example: '12.5',
})

export const guid = text('must be the 32 lower-case hex digits that the submission returned', /^[0-9a-f]{32}$/).meta({
  description: 'The verification job',
  example: 'eb5c06099d3841359d398541166343fe',
})

export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

export function label(rule: string) {
  return z.string(rule).max(MAX_TEXT, `must have at most ${MAX_TEXT} characters`)
}

export const page = integer('must be an integer from 1', { min: 1, max: 10 ** 15 - 1 })
  .prefault('1')
  .meta({ description: 'Page number, from 1' })

/** Page size; the default is 20 everywhere (§8). */
export function limit(max: number) {
  return integer(`must be an integer from 1 to ${max}`, { min: 1, max })
    .prefault('20')
    .meta({ description: `Records per page, at most ${max}` })
}

export const after = text('must be a nextCursor of an earlier answer', /^[A-Za-z0-9_-]{1,256}$/).meta({
  description: 'Opaque cursor: `nextCursor` of the answer before; walks past the 10,000 window',
})

export const isFromOrTo = choice(['from', 'to']).meta({
  description: '`from`: the address is the sender; `to`: the address is the recipient',
})

/** The three parameters of every paged list. */
export function paging(max: number) {
  return { page, limit: limit(max), after: after.optional() }
}

/** A rule across two fields of an ordered range, reported on the first. */
export function ordered<K extends string>(low: K, high: K, compare: (a: never, b: never) => boolean) {
  return (value: Partial<Record<K, unknown>>, context: z.RefinementCtx): void => {
    if (value[low] === undefined || value[high] === undefined) return
    if (compare(value[low] as never, value[high] as never)) return
    context.addIssue({ code: 'custom', path: [low], message: `must not be above ${high}` })
  }
}

export function numberOrder(a: number, b: number): boolean {
  return a <= b
}

/** Compares two decimal strings exactly: pads to the same scale, then compares as integers. */
export function decimalOrder(a: string, b: string): boolean {
  const scale = Math.max(...[a, b].map((value) => (value.split('.')[1] ?? '').length))
  const scaled = (value: string) => {
    const [whole = '0', fraction = ''] = value.split('.')
    return BigInt(whole + fraction.padEnd(scale, '0'))
  }
  return scaled(a) <= scaled(b)
}
