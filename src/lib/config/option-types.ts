// The types that a setting can have, as zod schemas from text to value. The description of a schema names the type in help and
// documentation; the message of an issue completes the sentence "NAME ...".
import { z } from 'zod'

/** A schema that reads a value from text. */
export type OptionType<T = unknown> = z.ZodType<T, string>

export const text = z.string().describe('text')

/** The empty text is what a flag without a value gives. */
export const flag = z
  .stringbool({
    truthy: ['true', '1', 'on', 'yes', ''],
    falsy: ['false', '0', 'off', 'no'],
    error: 'must be true or false',
  })
  .describe('true or false')

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const name = max === Number.MAX_SAFE_INTEGER ? `integer from ${min}` : `integer from ${min} to ${max}`
  const error = `must be an ${name}`
  return z
    .string()
    .regex(/^-?\d+$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error).max(max, error))
    .describe(name)
}

export function decimal(min: number) {
  const error = `must be a number from ${min}`
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error))
    .describe(`number from ${min}`)
}

/** One of some lower-case words; it may be written in any case. */
export function choice<const T extends readonly string[]>(...values: T) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(values, { error: `must be one of ${values.join(', ')}` }))
    .describe(values.join(' | '))
}

/** Comma-separated; `each` is the type of an item. Blanks around items and empty items are ignored. */
export function list<T>(each: OptionType<T>) {
  return z
    .string()
    .transform((value, context): readonly T[] => {
      const items: T[] = []
      for (const item of value.split(',').map((part) => part.trim())) {
        if (item === '') continue
        const parsed = each.safeParse(item)
        if (parsed.success) items.push(parsed.data)
        else context.addIssue(`has ${JSON.stringify(item)}, which ${parsed.error.issues[0]!.message}`)
      }
      return items
    })
    .describe(`${each.description}, comma-separated`)
}

export function word(pattern: RegExp, rule: string) {
  return z.string().regex(pattern, rule).describe('text')
}

/** An IP address, or a network such as `10.0.0.0/8`. */
export const network = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
    error: 'must be an IP address or a network such as 10.0.0.0/8',
  })
  .describe('IP address or network') satisfies OptionType

/** A URL with one of the given protocols, such as `http` and `https`. */
export function url(...protocols: string[]) {
  const prefixes = `${protocols.join(':// or ')}://`
  return z
    .url({
      protocol: new RegExp(`^(${protocols.join('|')})$`),
      error: `must be an address that starts with ${prefixes}`,
    })
    .describe(`${prefixes} address`)
}
