// Which logs a client asks for: by address and by topics, each topic one of several or anything.
import { z } from 'zod'
import { mayContain } from '../../chain/bloom.ts'
import { bigintToBytes } from '../../chain/hex.ts'
import type { Log } from '../../chain/log.ts'
import { address, hash, requiredBlock, word } from './params.ts'

const MAX_ADDRESSES = 1_000
const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1_000

const oneOrMore = <T extends z.ZodType>(schema: T, most: number, rule: string) =>
  z.union([schema.transform((one) => [one]), z.array(schema).max(most, rule)], rule)

const addresses = oneOrMore(address, MAX_ADDRESSES, `must be an address or at most ${MAX_ADDRESSES} of them`)
const topic = oneOrMore(word, MAX_ALTERNATIVES, `must be null, a topic or at most ${MAX_ALTERNATIVES} of them`)

/** An empty list means anything, as null does. */
export const logCriteria = z
  .object(
    {
      address: addresses.nullish(),
      topics: z.array(topic.nullable()).max(MAX_TOPICS, `must be at most ${MAX_TOPICS} topics`).nullish(),
    },
    'must be a filter object',
  )
  .transform(
    ({ address, topics }): LogCriteria => ({
      addresses: address?.length ? address : null,
      topics: (topics ?? []).map((each) => (each?.length ? each : null)),
    }),
  )

export type LogCriteria = {
  readonly addresses: readonly bigint[] | null
  readonly topics: readonly (readonly bigint[] | null)[]
}

const range = z
  .object({ fromBlock: requiredBlock.nullish(), toBlock: requiredBlock.nullish(), blockHash: hash.nullish() })
  .refine(({ fromBlock, toBlock, blockHash }) => !(blockHash && (fromBlock || toBlock)), {
    message: 'has both blockHash and fromBlock or toBlock',
  })

export const logQuery = z.intersection(logCriteria, range)
export type LogQuery = z.output<typeof logQuery>

export function matches({ addresses, topics }: LogCriteria, log: Log): boolean {
  if (addresses !== null && !addresses.includes(log.address)) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.includes(log.topics[at]!))
}

/** False is certain: no log under this bloom matches. */
export function mayMatch({ addresses, topics }: LogCriteria, bloom: Uint8Array): boolean {
  if (addresses !== null && !addresses.some((each) => mayContain(bloom, bigintToBytes(each, 20)))) return false
  return topics.every((wanted) => wanted === null || wanted.some((each) => mayContain(bloom, bigintToBytes(each, 32))))
}
