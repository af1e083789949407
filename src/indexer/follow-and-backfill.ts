// The index follows the head and, beside that, fills what is missing below it. Both write through one pen, one after the other, and what
// either finds out about the chain's branches begins both anew.
import { createMutex } from '../lib/async/semaphore.ts'
import { createWakeSignal } from '../lib/async/wait.ts'
import { writeChain, writeTagHeights } from '../store/chain/write.ts'
import { blockAt } from '../store/read/blocks.ts'
import { rangesStored } from '../store/read/chain-state.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { backfill } from './backfill.ts'
import { type Completer, createCompleter } from './complete/complete.ts'
import { deriveBlock } from './derive/derive.ts'
import { follow } from './follow.ts'
import type { IndexerOptions } from './indexer.ts'
import type { ProgressReport } from './progress-report.ts'
import { genesisOf, hashesOf, headRange } from './stored-chain.ts'

/** A head that far away takes minutes to reach, in which nobody sees what is new. */
const MOST_BEHIND = 5_000
/** Gaps come from here, where they are announced, or from nowhere. */
const LOOK_FOR_GAPS_MS = 60_000

/** Serves blocks that follow each other in one range. */
type RangeCompleter = { readonly since: number; readonly completer: Completer }

export async function followAndBackfill(
  options: IndexerOptions,
  report: ProgressReport,
  signal: AbortSignal,
  onWritten: () => void,
): Promise<void> {
  const { node, database, startHeight } = options
  const { traces } = await node.probe(signal)
  report.update({ traces: traces.reason })
  const genesis = await genesisOf(options)
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const oneByOne = createMutex()
  const gapBell = createWakeSignal()
  report.stored(await rangesStored(database), 0)

  const newCompleter = (since: number): Completer =>
    createCompleter({
      ...options,
      since,
      genesis,
      samples: options.balanceSamples,
      seesAllCreations: genesis !== null && traces.method !== null,
      counts: report.balances,
    })

  /** What waits for its turn while the other one finds that the chain is another was completed from what is no more. */
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    oneByOne(async () => {
      either.throwIfAborted()
      await work()
    })

  const write = async (blocks: readonly NodeBlock[], completer: Completer, rewindTo?: number): Promise<void> => {
    const derived = blocks.map(deriveBlock)
    const rows = await completer.complete(derived, either)
    await inTurn(() => writeChain(database, { rewindTo, blocks: rows }))
    if (rewindTo !== undefined) report.reorg(rewindTo)
    report.malformed(derived)
    report.stored(await rangesStored(database), blocks.length)
    onWritten()
  }

  const forget = async (fromHeight: number): Promise<never> => {
    const reason = new BrokenChain(fromHeight, 'and what is stored above it are not of the node’s chain')
    await inTurn(async () => {
      await writeChain(database, { rewindTo: fromHeight, blocks: [] })
      ending.abort(reason)
    })
    report.reorg(fromHeight)
    report.stored(await rangesStored(database), 0)
    throw reason
  }

  const followHead = async (): Promise<void> => {
    let own: RangeCompleter | undefined
    const { mostBehind = MOST_BEHIND } = options
    const stored = () => headRange(database)
    for await (const event of follow({ node, stored, startHeight, mostBehind, onHead: report.head }, either)) {
      switch (event.type) {
        case 'blocks':
          own = own?.since === event.since ? own : { since: event.since, completer: newCompleter(event.since) }
          await write(event.blocks, own.completer)
          if (event.blocks[0]!.header.number === event.since) gapBell.wake()
          break
        case 'reorg':
          own = { since: event.since, completer: newCompleter(event.since) }
          await write(event.blocks, own.completer, event.blocks[0]!.header.number)
          break
        case 'stray':
          await forget(event.fromHeight)
          break
        case 'finalized':
          await inTurn(() => writeTagHeights(database, event))
          report.update({ safe: event.safe, finalized: event.finalized })
          onWritten()
          break
      }
    }
  }

  const fillGaps = async (): Promise<void> => {
    const stored = {
      ranges: () => rangesStored(database),
      hashesOf: hashesOf.bind(null, database),
      parentHashAt: async (height: number) => (await blockAt(database, height))?.parentHash,
    }
    while (!either.aborted) {
      let own: RangeCompleter | undefined
      for await (const event of backfill({ node, startHeight, ...stored }, either)) {
        switch (event.type) {
          case 'blocks':
            own = own?.since === event.since ? own : { since: event.since, completer: newCompleter(event.since) }
            await write(event.blocks, own.completer)
            break
          case 'stray':
            await forget(event.fromHeight)
            break
        }
      }
      await gapBell.wait(LOOK_FOR_GAPS_MS, either)
    }
  }

  const endBoth = (error: unknown) => ending.abort(error)
  await Promise.all([followHead().catch(endBoth), fillGaps().catch(endBoth)])
  signal.throwIfAborted()
  throw ending.signal.reason
}
