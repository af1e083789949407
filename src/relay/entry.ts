// What stands in the ring: flashblocks with all that is made from them once, and gaps between them.
import { createFrames, type Encoding } from './encodings.ts'
import { type FlashblockTraits, traitsOf } from './flashblock-traits.ts'
import { type Gap, gapText, type PayloadPosition } from './gap.ts'
import type { OutgoingFlashblock, OutgoingText } from './outgoing-flashblock.ts'
import { payloadOf, webSocketFrame } from './websocket-frame.ts'

export type RingEntry = FlashblockEntry | GapEntry

type FlashblockEntry = {
  readonly type: 'flashblock'
  readonly place: PayloadPosition
  /** Bytes of all that is kept for it so far. */
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

export function flashblockEntry({ place, text }: OutgoingText, onFrame: () => void): FlashblockEntry {
  let bytes = 0
  let traits: FlashblockTraits | undefined
  const frames = createFrames(text, (frameBytes) => {
    bytes += frameBytes
    onFrame()
  })
  bytes += frames.in('plain')!.length
  return {
    type: 'flashblock',
    place,
    bytes: () => bytes,
    frame: frames.in,
    traits: (before) => {
      if (!traits) {
        const inPayload = before?.type === 'flashblock' && before.place.payloadId === place.payloadId
        traits = traitsOf(parsed(frames.in('plain')!), inPayload ? parsed(before.frame('plain')!) : undefined)
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

export function gapFrame(gap: Gap): Buffer {
  return webSocketFrame(Buffer.from(gapText(gap)), { opcode: 'text' })
}

/** A short string in a set, roughly. */
const TRAIT_BYTES = 128

/** Parsed anew rather than kept: only filters need it, and objects weigh several times their text. */
function parsed(frame: Buffer): OutgoingFlashblock {
  return JSON.parse(payloadOf(frame).toString()) as OutgoingFlashblock
}
