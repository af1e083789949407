// Flashblocks for open pages: each is pushed as the pending thread hears it. Where this process follows no feed, what another one
// stored of it comes with every change of the index.
import { flashblockRecord } from '../../explorer/records/preconfirmation-record.ts'
import { latestFlashblocks, STRIP_FLASHBLOCKS } from '../pages/chain.ts'
import { type ChainUpdateSource, fragmentShell, type Publisher, type UpdateSourceOptions } from './updates.ts'

const STRIP = 'flashblocks'
const LIST = 'flashblock-list'

type Flashblock = ReturnType<typeof flashblockRecord>

export function createFlashblockUpdates({ source, rendering, chain }: UpdateSourceOptions): ChainUpdateSource {
  /** Newest first. */
  let kept: readonly Flashblock[] = []
  let hasHeard = false

  const keep = (added: readonly Flashblock[]): void => {
    const all = new Map([...kept, ...added].map((each) => [placeOf(each), each]))
    const inOrder = [...all].sort(([a], [b]) => b - a).slice(0, STRIP_FLASHBLOCKS)
    kept = inOrder.map(([, each]) => each)
  }
  const isKept = (flashblock: Flashblock): boolean => kept.some((each) => placeOf(each) === placeOf(flashblock))

  const tell = (live: Publisher, added: readonly Flashblock[]): void => {
    if (added.length === 0) return
    keep(added)
    if (live.isFollowed(STRIP)) {
      // The blocks that these belong to, each with all that is known of it.
      const heights = new Set(added.map(({ height }) => height))
      const blocks = kept.filter(({ height }) => heights.has(height))
      live.publish(STRIP, rendering.renderUpdates.flashblocks(blocks))
    }
    if (live.isFollowed(LIST)) live.publish(LIST, rendering.renderUpdates.flashblockList(added, fragmentShell(chain)))
  }

  return {
    topics: [new RegExp(`^(${STRIP}|${LIST})$`)],
    current: async (topic) => {
      keep(await latestFlashblocks(source))
      return topic === STRIP
        ? rendering.renderUpdates.flashblocks(kept)
        : rendering.renderUpdates.flashblockList(kept, fragmentShell(chain))
    },
    onLedgerEvents: (live, events) => {
      const added = events.flatMap((event) => (event.type === 'flashblock' ? [flashblockRecord(event.record)] : []))
      hasHeard ||= added.length > 0
      tell(live, added)
    },
    onIndexChange: async (live) => {
      const wasHeard = hasHeard
      hasHeard = false
      if (wasHeard || !(live.isFollowed(STRIP) || live.isFollowed(LIST))) return
      tell(
        live,
        (await latestFlashblocks(source)).filter((each) => !isKept(each)),
      )
    },
  }
}

/** Their order in the feed. */
function placeOf({ height, attempt, flashblockIndex }: Flashblock): number {
  return (Number(height) * 2 ** 10 + Number(attempt)) * 2 ** 10 + Number(flashblockIndex)
}
