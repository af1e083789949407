// The query parameters of GET /flashblocks: position to resume from, filter, encoding.
import { z } from 'zod'
import { Failure } from '../../contract/failure.ts'
import type { FeedPosition } from '../../relay/outgoing-flashblock.ts'
import type { SubscriberFilter } from '../../relay/subscriber-filter.ts'

export type RelayQuery = {
  /** Undefined: deflate where the handshake offers it, otherwise plain. */
  encoding: 'plain' | 'brotli' | undefined
  filter: SubscriberFilter | undefined
  after: FeedPosition | undefined
}

function hexList(digits: number) {
  return z
    .string('given more than once')
    .regex(
      new RegExp(`^0x[0-9a-f]{${digits}}(,0x[0-9a-f]{${digits}})*$`, 'i'),
      `must be values of 0x and ${digits} hex digits, separated by commas`,
    )
    .transform((value) => value.toLowerCase().split(','))
    .default([])
}

const height = z
  .string('given more than once')
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

const query = z
  .object({
    encoding: z.enum(['plain', 'brotli'], 'must be plain or brotli').optional(),
    addresses: hexList(40),
    topics: hexList(64),
    methods: hexList(8),
    match: z.enum(['any', 'all'], 'must be any or all').default('any'),
    block_number: height.optional(),
    flashblock_index: height.optional(),
  })
  .refine(({ block_number, flashblock_index }) => (block_number === undefined) === (flashblock_index === undefined), {
    error: 'needs flashblock_index beside it, and the reverse',
    path: ['block_number'],
  })

/** Refuses the first wrong parameter; unknown parameters are ignored. */
export function parseRelayQuery(values: unknown): RelayQuery {
  const parsed = query.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Failure('parameterWrong', `Parameter ${issue!.path.join('.')} error: ${issue!.message}.`)
  }
  const { encoding, addresses, topics, methods, match, block_number, flashblock_index } = parsed.data
  const hasFilter = addresses.length + topics.length + methods.length > 0
  return {
    encoding,
    filter: hasFilter ? { addresses, topics, methods, match } : undefined,
    after:
      block_number === undefined || flashblock_index === undefined ? undefined : { block_number, flashblock_index },
  }
}
