// Follows the head of the chain and, at the same time, backfills what is missing below it. Both write under one writer lock, one after
// the other, and beside them the repair. When one finds that the node's chain has changed, all end and the caller starts them again.
import type { Hex } from '../chain/bytes/hex.ts'
import type { GenesisAccount } from '../chain/rules/genesis.ts'
import { createMutex } from '../lib/async/semaphore.ts'
import { createWakeSignal } from '../lib/async/wait.ts'
import type { Log } from '../lib/log.ts'
import { highestUnseenChange } from '../store/chain/native-repair.ts'
import { writeChain, writeTagHeights } from '../store/chain/write.ts'
import type { Database } from '../store/engine/database.ts'
import { blockAt } from '../store/read/blocks.ts'
import { rangesStored } from '../store/read/chain-state.ts'
import { hasTraceGaps } from '../store/read/trace-gaps.ts'
import { BrokenChain } from '../upstream/node/failures.ts'
import type { Node } from '../upstream/node/node.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { backfill } from './backfill.ts'
import { type Completer, createCompleter } from './complete/complete.ts'
import { deriveBlock } from './derive/derive.ts'
import { follow } from './follow.ts'
import type { ProgressReport } from './progress-report.ts'
import { deriveAgain } from './repair/derive-again.ts'
import { repairInBackground } from './repair/repair.ts'
import { genesisOf, hashesOf, headRange } from './stored-chain.ts'
import { checkTokens } from './token-checks/token-checker.ts'

export type FollowAndBackfillOptions = {
  readonly node: Node
  readonly database: Database
  readonly log: Log
  /** First block of the index. When it is lowered later, the blocks below are backfilled. */
  readonly startHeight: number
  /** Number of balances that are compared with the node at every block. */
  readonly balanceSamples: number
  /** Calls of token contracts in a second, to compare balances and supplies; 0 compares nothing. */
  readonly tokenReadsPerS: number
  /** Accounts before block 0; null reads the balance of each address from the node when it is first seen. */
  readonly genesis: readonly GenesisAccount[] | null
  /** When the head is further ahead than this, the head is followed at once and the gap is backfilled. */
  readonly mostBehind?: number
}

/** It would take minutes to reach a head that is further away, and meanwhile nobody would see new blocks. */
const MOST_BEHIND = 5_000
/** Gaps appear only when `followHead` leaves one, which wakes the backfill; this is a second look in case that was missed. */
const CHECK_GAPS_EVERY_MS = 60_000

/** Completes blocks that follow each other in the range that begins at `since`. */
type RangeCompleter = { readonly since: number; readonly completer: Completer }

export async function followAndBackfill(
  options: FollowAndBackfillOptions,
  report: ProgressReport,
  signal: AbortSignal,
  onWritten: () => void,
): Promise<void> {
  const { node, database, startHeight } = options
  const { traces } = await node.probe(signal)
  const genesis = await genesisOf(options)
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const exclusive = createMutex()
  const betweenBlocks = createMutex()
  const written = createWakeSignal()
  const gapSignal = createWakeSignal()
  report.stored(await rangesStored(database), 0)

  /** `from` is the first height of its blocks, if there are stored ones above it. */
  const newCompleter = async (since: number, from = Number.MAX_SAFE_INTEGER): Promise<Completer> =>
    createCompleter({
      ...options,
      since,
      genesis,
      samples: options.balanceSamples,
      seesAllCreations: genesis !== null && traces.method !== null && !(await hasTraceGaps(database, { to: from - 1 })),
      counts: report.balances,
      hasUnseenChanges: (await highestUnseenChange(database, from)) !== null,
    })

  /** A write that waited while the other task found a reorg is based on blocks that are no longer stored, so it must not happen. */
  const writeExclusively = (work: () => Promise<void>): Promise<void> =>
    exclusive(async () => {
      either.throwIfAborted()
      await work()
    })

  const write = async (blocks: readonly NodeBlock[], completer: Completer, rewindTo?: number): Promise<void> => {
    const derived = blocks.map(deriveBlock)
    const rows = await completer.complete(derived, either)
    await writeExclusively(() => writeChain(database, { rewindTo, blocks: rows }))
    if (rewindTo !== undefined) report.reorg(rewindTo)
    report.malformed(derived)
    report.unreadTraces(blocks)
    report.stored(await rangesStored(database), blocks.length)
    written.wake()
    onWritten()
  }

  const deleteOrphaned = async (fromHeight: number): Promise<never> => {
    const reason = new BrokenChain(fromHeight, 'and what is stored above it are not of the node’s chain')
    await writeExclusively(async () => {
      await writeChain(database, { rewindTo: fromHeight, blocks: [] })
      ending.abort(reason)
    })
    report.reorg(fromHeight)
    report.stored(await rangesStored(database), 0)
    throw reason
  }

  let atHead: RangeCompleter | undefined
  const followHead = async (): Promise<void> => {
    const { mostBehind = MOST_BEHIND } = options
    const stored = () => headRange(database)
    for await (const event of follow({ node, stored, startHeight, mostBehind, onHead: report.head }, either)) {
      switch (event.type) {
        case 'blocks':
          await betweenBlocks(async () => {
            if (atHead?.since !== event.since) {
              atHead = { since: event.since, completer: await newCompleter(event.since) }
            }
            await write(event.blocks, atHead.completer)
          })
          report.update({ indexedMs: event.blocks.at(-1)!.timestampMs })
          if (event.blocks[0]!.header.number === event.since) gapSignal.wake()
          break
        case 'reorg':
          await betweenBlocks(async () => {
            atHead = { since: event.since, completer: await newCompleter(event.since) }
            await write(event.blocks, atHead.completer, event.blocks[0]!.header.number)
          })
          break
        case 'orphaned':
          await deleteOrphaned(event.fromHeight)
          break
        case 'atHead':
          await writeExclusively(() => writeTagHeights(database, event))
          report.update({ safe: event.safe, finalized: event.finalized })
          onWritten()
          break
      }
    }
  }

  const backfillGaps = async (): Promise<void> => {
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
            own = own?.since === event.since ? own : { since: event.since, completer: await newCompleter(event.since) }
            await write(event.blocks, own.completer)
            break
          case 'orphaned':
            await deleteOrphaned(event.fromHeight)
            break
        }
      }
      await gapSignal.wait(CHECK_GAPS_EVERY_MS, either)
    }
  }

  const background = {
    ...options,
    betweenBlocks: <T>(work: () => Promise<T>) => betweenBlocks(() => exclusive(work)),
    onChanged: (addresses: readonly Hex[]) => atHead?.completer.balancesChanged(addresses),
  }

  const repair = (): Promise<void> =>
    repairInBackground(
      {
        ...background,
        written,
        onProgress: (progress) => report.update({ repair: progress }),
      },
      either,
    )

  const checking = (): Promise<void> =>
    checkTokens({ ...options, exclusively: exclusive, onProgress: (tokens) => report.update({ tokens }) }, either)

  const derivingAgain = (): Promise<void> =>
    deriveAgain(
      {
        ...background,
        newCompleter,
        onReplaced() {
          atHead = undefined
        },
        onProgress: (derivation) => report.update({ derivation }),
      },
      either,
    )

  const endAll = (error: unknown) => ending.abort(error)
  await Promise.all(
    [followHead(), backfillGaps(), repair(), checking(), derivingAgain()].map((task) => task.catch(endAll)),
  )
  signal.throwIfAborted()
  throw ending.signal.reason
}
