// The message of the Flashblocks feed (§6), as lenient as real feeds differ: `base` may be absent or null, receipts come
// keyed by type, tagged inside, or not at all, balances and blob gas may be missing, unknown fields are ignored, and some
// feeds wrap the message or end a sequence with a message that has a payload id only.
import { z } from 'zod'

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)

const base = z.object({
  base_fee_per_gas: quantity,
  block_number: quantity,
  extra_data: hex,
  fee_recipient: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  gas_limit: quantity,
  parent_beacon_block_root: hash,
  parent_hash: hash,
  prev_randao: hash,
  timestamp: quantity,
})

const diff = z.object({
  blob_gas_used: quantity.nullish(),
  block_hash: hash,
  gas_used: quantity,
  logs_bloom: hex,
  receipts_root: hash,
  state_root: hash,
  transactions: z.array(hex),
  withdrawals: z.array(z.unknown()),
  withdrawals_root: hash,
})

const receipt = z.record(z.string(), z.unknown())

const metadata = z.object({
  block_number: z.int().nonnegative(),
  new_account_balances: z.record(z.string(), quantity).nullish(),
  receipts: z.record(hash, receipt).nullish(),
  /** Feeds send it in several forms; the relay does not send it on. */
  access_list: z.unknown().optional(),
})

export const flashblockMessage = z.object({
  base: base.nullish(),
  diff,
  index: z.int().nonnegative(),
  metadata,
  payload_id: z.string().regex(/^0x[0-9a-fA-F]{16}$/),
})

export type FlashblockMessage = z.output<typeof flashblockMessage>

/** Ends a sequence on feeds that say so. */
const endOfSequence = z.strictObject({ payload_id: flashblockMessage.shape.payload_id })

export type FeedMessage = { type: 'flashblock'; flashblock: FlashblockMessage } | { type: 'end'; payloadId: string }

/** The content of a WebSocket frame, or the reason why it cannot be read. */
export function feedMessageFrom(json: unknown): FeedMessage | { type: 'malformed'; reason: string } {
  const message = unwrapped(json)
  const end = endOfSequence.safeParse(message)
  if (end.success) return { type: 'end', payloadId: end.data.payload_id }
  const parsed = flashblockMessage.safeParse(message)
  if (!parsed.success) return { type: 'malformed', reason: z.prettifyError(parsed.error) }
  const { base, index } = parsed.data
  if (index === 0 && !base) return { type: 'malformed', reason: 'index 0 without base' }
  return { type: 'flashblock', flashblock: parsed.data }
}

function unwrapped(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'OpFlashblockPayload' in json ? json.OpFlashblockPayload : json
}
