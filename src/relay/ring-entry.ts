// The entries of the ring: flashblocks with everything that is derived from them once, and gaps between them.

import type { FeedPosition, OutgoingFlashblock, OutgoingText, PayloadPosition } from './outgoing-flashblock.ts'
import { type FlashblockTraits, traitsOf } from './subscriber-filter.ts'
import { createFrames, type Encoding, payloadOf, webSocketFrame } from './websocket-frames.ts'

export type RingEntry = FlashblockEntry | GapEntry

type FlashblockEntry = {
  readonly type: 'flashblock'
  readonly position: PayloadPosition
  /** Bytes that it holds so far. */
  readonly bytes: () => number
  readonly frame: (encoding: Encoding) => Buffer | undefined
  /** `before` is the entry before it. */
  readonly traits: (before: RingEntry | undefined) => FlashblockTraits
}

type GapEntry = {
  readonly type: 'gap'
  readonly bytes: () => number
  readonly frame: () => Buffer
}

/** A gap is announced to a subscriber in a message of its own, always as plain text: `{"gap":{"reason":…,"after":…,"next":…}}`. */
export type Gap = {
  /** `upstream`: it never reached this service. `not held`: the ring no longer has the position to resume from. `slow`: the subscriber is cut off. */
  readonly reason: 'upstream' | 'not held' | 'slow'
  /** The last flashblock before the gap, where there was one. */
  readonly after: FeedPosition | null
  /** The first one behind it, where it is known. */
  readonly next: FeedPosition | null
}

export function flashblockEntry({ position, text }: OutgoingText, onFrame: () => void): FlashblockEntry {
  let bytes = 0
  let traits: FlashblockTraits | undefined
  const frames = createFrames(text, (frameBytes) => {
    bytes += frameBytes
    onFrame()
  })
  bytes += frames.in('plain')!.length
  return {
    type: 'flashblock',
    position,
    bytes: () => bytes,
    frame: frames.in,
    traits: (before) => {
      if (!traits) {
        const isSamePayload = before?.type === 'flashblock' && before.position.payloadId === position.payloadId
        traits = traitsOf(parsed(frames.in('plain')!), isSamePayload ? parsed(before.frame('plain')!) : undefined)
        bytes += (traits.addresses.size + traits.topics.size + traits.methods.size) * TRAIT_BYTES
      }
      return traits
    },
  }
}

export function gapEntry(gap: Gap): GapEntry {
  const frame = gapFrame(gap)
  return { type: 'gap', bytes: () => frame.length, frame: () => frame }
}

export function gapFrame({ reason, after, next }: Gap): Buffer {
  const text = JSON.stringify({ gap: { reason, after: after && toWire(after), next: next && toWire(next) } })
  return webSocketFrame(Buffer.from(text), { opcode: 'text' })
}

function toWire({ block_number, flashblock_index }: FeedPosition): FeedPosition {
  return { block_number, flashblock_index }
}

/** A short string in a set, roughly. */
const TRAIT_BYTES = 128

/** Parsed again rather than stored: only filters need it, and objects take several times the memory of their text. */
function parsed(frame: Buffer): OutgoingFlashblock {
  return JSON.parse(payloadOf(frame).toString()) as OutgoingFlashblock
}
