// Flashblocks for open pages: each is sent as the ledger reports it. Where this process follows no feed, it sends what another process has
// stored, with every change of the index.
import { flashblockRecord } from '../../explorer/records/preconfirmation-record.ts'
import { latestFlashblocks, STRIP_FLASHBLOCKS } from '../pages/chain.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const STRIP = 'flashblocks'
const LIST = 'flashblock-list'

type Flashblock = ReturnType<typeof flashblockRecord>

export function createFlashblockUpdates({ source, rendering, chain }: UpdateSourceOptions): ChainUpdateSource {
  /** Newest first. */
  let latest: readonly Flashblock[] = []
  let hasLedgerEvents = false

  const remember = (added: readonly Flashblock[]): void => {
    const all = new Map([...latest, ...added].map((each) => [orderOf(each), each]))
    const inOrder = [...all].sort(([a], [b]) => b - a).slice(0, STRIP_FLASHBLOCKS)
    latest = inOrder.map(([, each]) => each)
  }
  const isKnown = (flashblock: Flashblock): boolean => latest.some((each) => orderOf(each) === orderOf(flashblock))

  const publish = (live: Publisher, added: readonly Flashblock[]): void => {
    if (added.length === 0) return
    remember(added)
    if (live.isFollowed(STRIP)) {
      // All known flashblocks of the blocks that these belong to.
      const heights = new Set(added.map(({ height }) => height))
      const blocks = latest.filter(({ height }) => heights.has(height))
      live.publish(STRIP, rendering.renderUpdates.flashblocks(blocks))
    }
    if (live.isFollowed(LIST)) live.publish(LIST, rendering.renderUpdates.flashblockList(added, fragmentShell(chain)))
  }

  return {
    topics: [new RegExp(`^(${STRIP}|${LIST})$`)],
    current: async (topic) => {
      remember(await latestFlashblocks(source))
      return topic === STRIP
        ? rendering.renderUpdates.flashblocks(latest)
        : rendering.renderUpdates.flashblockList(latest, fragmentShell(chain))
    },
    onLedgerEvents: (live, events) => {
      const added = events.flatMap((event) => (event.type === 'flashblock' ? [flashblockRecord(event.record)] : []))
      hasLedgerEvents ||= added.length > 0
      publish(live, added)
    },
    onIndexChange: async (live) => {
      const hadLedgerEvents = hasLedgerEvents
      hasLedgerEvents = false
      if (hadLedgerEvents || !(live.isFollowed(STRIP) || live.isFollowed(LIST))) return
      publish(
        live,
        (await latestFlashblocks(source)).filter((each) => !isKnown(each)),
      )
    },
  }
}

/** A number that sorts flashblocks in the order of the feed. */
function orderOf({ height, attempt, flashblockIndex }: Flashblock): number {
  return (Number(height) * 2 ** 10 + Number(attempt)) * 2 ** 10 + Number(flashblockIndex)
}
