// A gap in what a subscriber gets is said in a message of its own, always as plain text: `{"gap":{"reason":…,"after":…,"next":…}}`.

/** Where in the feed a flashblock stands. */
export type FeedPosition = { readonly block_number: number; readonly flashblock_index: number }

export type Gap = {
  /** `upstream`: lost before it came here. `not held`: the position to resume from is not kept here. `slow`: the subscriber is cut off. */
  readonly reason: 'upstream' | 'not held' | 'slow'
  /** The last flashblock before the gap, where there was one. */
  readonly after: FeedPosition | null
  /** The first one behind it, where it is known. */
  readonly next: FeedPosition | null
}

export function gapText({ reason, after, next }: Gap): string {
  return JSON.stringify({ gap: { reason, after: after && positionOf(after), next: next && positionOf(next) } })
}

function positionOf({ block_number, flashblock_index }: FeedPosition): FeedPosition {
  return { block_number, flashblock_index }
}

export type PayloadPosition = FeedPosition & { readonly payloadId: string }

/** Index 0 may start the next block or any earlier one again; everything else must continue its own payload. */
export function follows(before: PayloadPosition, place: PayloadPosition): boolean {
  return place.flashblock_index === 0
    ? place.block_number <= before.block_number + 1
    : place.payloadId === before.payloadId && place.flashblock_index === before.flashblock_index + 1
}
