// Where a feed resumes after a break. A relay of ours sends what was missed in between; feeds that do not know the parameters ignore
// them, and one that refuses them is asked without.
import type { FlashblockMessage } from '../../contract/flashblock.ts'

export type Resuming = {
  received(message: FlashblockMessage): void
  urlOf(upstream: number): string
  /** The connection ended, or never began, for this reason. */
  ended(upstream: number, reason: string): void
}

export function createResuming(urls: readonly string[]): Resuming {
  const isAskedWithout = urls.map(() => false)
  /** From any upstream: what others sent meanwhile is not missing. */
  let last: { readonly block_number: number; readonly flashblock_index: number } | null = null
  return {
    received({ index, metadata }) {
      last = { block_number: metadata.block_number, flashblock_index: index }
    },
    urlOf(upstream) {
      const url = new URL(urls[upstream]!)
      if (last === null || isAskedWithout[upstream]) return url.href
      for (const [name, value] of Object.entries(last)) url.searchParams.set(name, String(value))
      return url.href
    },
    ended(upstream, reason) {
      // The next attempt is made without the parameters, or with them again; the form that works is used from then on.
      if (reason.startsWith(HTTP_REFUSAL)) isAskedWithout[upstream] = last !== null && !isAskedWithout[upstream]
    },
  }
}

/** The beginning of the WebSocket client's error where the server answers but refuses the handshake. */
const HTTP_REFUSAL = 'Unexpected server response'
