// Where a feed is taken up again after a break. A relay of ours gives what was missed in between; feeds that know no such question take no
// notice of it, and one that refuses it is asked without.
import type { FlashblockMessage } from '../../contract/flashblock.ts'

export type Resuming = {
  heard(message: FlashblockMessage): void
  urlOf(upstream: number): string
  /** The connection ended, or never began, for this reason. */
  ended(upstream: number, reason: string): void
}

export function createResuming(urls: readonly string[]): Resuming {
  const isAskedWithout = urls.map(() => false)
  /** Whoever told it: what others told meanwhile is not missing. */
  let last: { readonly block_number: number; readonly flashblock_index: number } | null = null
  return {
    heard({ index, metadata }) {
      last = { block_number: metadata.block_number, flashblock_index: index }
    },
    urlOf(upstream) {
      const url = new URL(urls[upstream]!)
      if (last === null || isAskedWithout[upstream]) return url.href
      for (const [name, value] of Object.entries(last)) url.searchParams.set(name, String(value))
      return url.href
    },
    ended(upstream, reason) {
      // The other way next time, and whichever way works from then on.
      if (reason.startsWith(HTTP_REFUSAL)) isAskedWithout[upstream] = last !== null && !isAskedWithout[upstream]
    },
  }
}

/** How the WebSocket client begins to say that the server is there but takes no handshake. */
const HTTP_REFUSAL = 'Unexpected server response'
