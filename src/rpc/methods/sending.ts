// Transactions that come in signed: the node takes them, and the pending chain tells when they have a place.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { RpcHandlers } from '../server/dispatch.ts'
import { notIncludedYet } from '../state/failures.ts'
import { receiptAt } from '../state/pending-views.ts'
import { findTransaction } from '../state/recent-blocks.ts'
import type { Scope } from '../state/scope.ts'

const DEFAULT_WAIT_MS = 5_000
/** How often the node is asked for a receipt while nothing is preconfirmed. */
const ASK_EVERY_MS = 200

export const sendingMethods: Pick<RpcHandlers, 'eth_sendRawTransaction' | 'eth_sendRawTransactionSync'> = {
  eth_sendRawTransaction: (scope, [raw]) => sent(scope, raw),

  /** EIP-7966. Listens before it sends: what comes in between is not missed. */
  async eth_sendRawTransactionSync(scope, [raw, timeout]) {
    const timeoutMs = timeout ?? DEFAULT_WAIT_MS
    const listening = listenForViews(scope)
    let headAsked = listening.view().snapshot.canonical?.hash
    try {
      const hash = await sent(scope, raw)
      const untilMs = performance.now() + timeoutMs
      for (;;) {
        const view = listening.view()
        const place = findTransaction(view, hash)
        const preconfirmed = place === null ? null : receiptAt(place.block, place.index)
        if (preconfirmed !== null) return preconfirmed
        const isBlind = view.snapshot.tip === null
        const head = view.snapshot.canonical?.hash
        // A new head may hold it though we never heard it promised: flashblocks get lost.
        const isAsked = isBlind || head !== headAsked
        headAsked = head
        const included = isAsked ? await scope.ask('eth_getTransactionReceipt', [hash]).catch(() => null) : null
        if (included !== null) return included
        const leftMs = untilMs - performance.now()
        if (leftMs <= 0) throw notIncludedYet(timeoutMs, hash)
        await listening.next(Math.min(leftMs, isBlind ? ASK_EVERY_MS : leftMs))
      }
    } finally {
      listening.end()
    }
  },
}

async function sent(scope: Scope, raw: string): Promise<Hex> {
  const atMs = Date.now()
  const hash = (await scope.ask('eth_sendRawTransaction', [raw])) as Hex
  scope.dependencies.ledger?.seen(hash, atMs)
  return hash
}

type Listening = {
  view(): PendingView
  /** Until there is a newer view, or the time is over, or the service ends. */
  next(withinMs: number): Promise<void>
  end(): void
}

function listenForViews({ dependencies: { pendingChain }, signal }: Scope): Listening {
  let news = false
  let wake = () => {}
  const ring = () => {
    news = true
    wake()
  }
  const endListening = pendingChain.on(ring)
  signal.addEventListener('abort', ring)
  return {
    view: () => pendingChain.view(),
    async next(withinMs) {
      signal.throwIfAborted()
      if (!news) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, withinMs)
        await promise
        clearTimeout(timer)
      }
      news = false
    },
    end() {
      endListening()
      signal.removeEventListener('abort', ring)
    },
  }
}
