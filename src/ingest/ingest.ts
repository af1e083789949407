// Brings the canonical chain into the store and keeps it there: backfill is following from far behind. Whatever goes wrong, the store holds
// whole blocks, and the next attempt begins where they end.
import type { GenesisAccount } from '../chain/genesis-alloc.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/database.ts'
import { noteTagHeights, writeChain } from '../store/write.ts'
import type { NodeBlock } from '../upstream/node/node-block.ts'
import { BrokenChain } from '../upstream/node/trouble.ts'
import { backoffMs, sleep } from '../upstream/node/wait.ts'
import type { Node } from '../upstream/node.ts'
import { ReorgTooDeep } from './common-ancestor.ts'
import { createCompleter } from './complete.ts'
import { deriveBlock } from './derive.ts'
import { follow } from './follow.ts'
import type { IngestProgress } from './progress.ts'
import { createReport, type Report } from './report.ts'
import { originOf, storedChain } from './stored-chain.ts'

export type IngestOptions = {
  readonly node: Node
  readonly database: Database
  readonly log: Log
  /** First block of an index that is empty. */
  readonly startHeight: number
  /** Balances compared with the node at every block; 0 compares none. */
  readonly balanceSamples: number
  /** Who held what before block 0; null asks the node at the first sight of each address. */
  readonly genesis: readonly GenesisAccount[] | null
  readonly onProgress: (progress: IngestProgress) => void
}

/** Ends with the signal. Throws `ReorgTooDeep`; everything else is tried again. */
export async function ingest(options: IngestOptions, signal: AbortSignal): Promise<void> {
  const report = createReport(options)
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await asOnlyWriter(options.database, report, signal, () =>
        keepUp(options, report, signal, () => {
          failures = 0
        }),
      )
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ReorgTooDeep) throw error
      if (error instanceof BrokenChain)
        options.log.info({ reason: error.message }, 'the chain changed while it was read')
      else {
        options.log.warn({ error }, 'indexing is interrupted and tried again')
        report.trouble(error as Error)
        await sleep(backoffMs(failures, RETRY), signal).catch(() => undefined)
      }
    }
  }
}

const RETRY = { firstMs: 250, mostMs: 30_000 }
const WRITER_POLL_MS = 1_000

async function asOnlyWriter(
  database: Database,
  report: Report,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let release = await database.becomeWriter()
  while (release === undefined) {
    report.update({ state: 'waiting for another writer' })
    await sleep(WRITER_POLL_MS, signal)
    release = await database.becomeWriter()
  }
  try {
    await work()
  } finally {
    await release()
  }
}

async function keepUp(
  options: IngestOptions,
  report: Report,
  signal: AbortSignal,
  onWritten: () => void,
): Promise<void> {
  const { node, database } = options
  const { traces } = await node.probe(signal)
  report.update({ traces: traces.reason })
  const origin = await originOf(options)
  const newCompleter = () =>
    createCompleter({
      ...options,
      ...origin,
      samples: options.balanceSamples,
      seesAllCreations: origin.genesis !== null && traces.method !== null,
      counts: report.balances,
    })
  let completer = newCompleter()
  const stored = () => storedChain(database)
  report.reached((await stored())?.lastHeight ?? null)
  for await (const event of follow({ node, stored, startHeight: options.startHeight, onHead: report.head }, signal)) {
    switch (event.type) {
      case 'blocks':
        await write(event.blocks, {})
        break
      case 'reorg':
        completer = newCompleter()
        await write(event.blocks, { rewindTo: event.blocks[0]!.header.number })
        break
      case 'finalized':
        await noteTagHeights(database, event)
        report.update({ safe: event.safe, finalized: event.finalized, state: 'following', trouble: null })
        break
    }
    onWritten()
  }

  async function write(blocks: readonly NodeBlock[], change: { rewindTo?: number }): Promise<void> {
    const derived = blocks.map(deriveBlock)
    await writeChain(database, { ...change, blocks: await completer.complete(derived, signal) })
    if (change.rewindTo !== undefined) report.reorg(change.rewindTo)
    report.malformed(derived)
    report.reached(blocks.at(-1)!.header.number)
  }
}
