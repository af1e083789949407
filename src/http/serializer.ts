// JSON of an endpoint's data, compiled once from its contract: three times faster than JSON.stringify, because keys and
// structure are known and most fields hold digits or hex. The text is pure ASCII, so that it can be written to the socket
// byte by byte; other characters are escaped.
import { z } from 'zod'
import { plainFields } from '../contract/fields.ts'

export type Serializer = (data: unknown) => string

export const serializerOf = (schema: z.ZodType): Serializer => {
  const source = expressionFor(schema, 'data', 0)
  return new Function('quoted', 'escaped', `return (data) => ${source}`)(quoted, asciiJson) as Serializer
}

/** A JavaScript expression that gives the JSON text of `value`. */
const expressionFor = (schema: z.ZodType, value: string, depth: number): string => {
  if (schema instanceof z.ZodString) return plainFields.has(schema) ? `'"' + ${value} + '"'` : `quoted(${value})`
  if (schema instanceof z.ZodBoolean) return `(${value} ? 'true' : 'false')`
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field], index) => {
      const key = JSON.stringify(`${index === 0 ? '' : ','}"${name}":`)
      return `${key} + ${expressionFor(field, `${value}.${name}`, depth)}`
    })
    return `('{' + ${fields.join(' + ')} + '}')`
  }
  if (schema instanceof z.ZodTuple) {
    const items = (schema.def.items as z.ZodType[]).map((item, index) =>
      expressionFor(item, `${value}[${index}]`, depth),
    )
    return `('[' + ${items.join(" + ',' + ")} + ']')`
  }
  if (schema instanceof z.ZodArray) {
    const item = `item${depth}`
    const body = expressionFor(schema.element as z.ZodType, item, depth + 1)
    return `((list) => { let text = '['; let comma = ''; for (const ${item} of list) { text += comma + ${body}; comma = ',' } return text + ']' })(${value})`
  }
  return `escaped(${value})`
}

const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/
const quoted = (text: string): string => (NEEDS_ESCAPE.test(text) ? asciiJson(text) : `"${text}"`)

export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
