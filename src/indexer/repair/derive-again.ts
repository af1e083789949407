// Derives again, in the background and from the lowest block up, what an older version of the program derived. Blocks are fetched again
// where stored rows are not enough. The head comes first: blocks are fetched beside it and replaced between its blocks, a few at a time,
// and what is done is stored with the index, so that it can stop and start again at any point.
import { toQuantity } from '../../chain/bytes/hex.ts'
import type { Mutex } from '../../lib/async/semaphore.ts'
import { sleep } from '../../lib/async/wait.ts'
import type { Log } from '../../lib/log.ts'
import { beginDerivingAgain } from '../../store/chain/derivations.ts'
import { deriveActivityAgain, endIfAllDerived, nextToDerive, replaceBlocks } from '../../store/chain/replace-blocks.ts'
import { endSummingAgain, sumTokenAgain, tokenAfter } from '../../store/chain/sum-again.ts'
import { storedCalls } from '../../store/chain/trace-repair.ts'
import type { Database } from '../../store/engine/database.ts'
import { derivationState, rangesStored } from '../../store/read/chain-state.ts'
import { DERIVED_THINGS, type DerivedThing } from '../../store/schema/derivations.ts'
import { framesFromRows } from '../../store/schema/internal-rows.ts'
import { WHOLE_BLOCK } from '../../store/schema/rows.ts'
import { BrokenChain, NodeUnavailable, UpstreamError } from '../../upstream/node/failures.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { NodeBlock } from '../../upstream/node/node-block.ts'
import type { Completer } from '../complete/complete.ts'
import { type BatchLimit, batched } from '../derive/batches.ts'
import { type DerivedBlock, deriveBlock } from '../derive/derive.ts'

export type DeriveAgainProgress = {
  readonly state: 'done' | 'deriving again' | 'waiting for the backfill' | 'waiting for the node'
  /** What an older version derived. */
  readonly outdated: readonly DerivedThing[]
  /** First and last height of what is still to be derived again; null when nothing is. */
  readonly from: number | null
  readonly to: number | null
  /** Blocks that were derived again since the start of the process, and those of them whose rows were others. */
  readonly blocks: number
  readonly replaced: number
  /** Why it does not go on; null while it does. */
  readonly problem: string | null
}

export const nothingToDerive: DeriveAgainProgress = {
  state: 'done',
  outdated: [],
  from: null,
  to: null,
  blocks: 0,
  replaced: 0,
  problem: null,
}

export type DeriveAgainOptions = {
  readonly node: Pick<Node, 'blocks' | 'ask'>
  readonly database: Database
  readonly log: Log
  /** Runs work during which no block is written. */
  readonly betweenBlocks: Mutex
  /** For blocks from a height on, in the range that begins at `since`. */
  readonly newCompleter: (since: number, from: number) => Promise<Completer>
  /** Stored rows were replaced: what a completer read before may be wrong. No block is written meanwhile. */
  readonly onReplaced: () => void
  readonly onProgress: (progress: DeriveAgainProgress) => void
}

/** So that blocks at the head never wait long. */
const STEP: BatchLimit = { blocks: 20, logsAndTransactions: 2_000 }
const PAUSE_MS = 5
const WAIT_MS = 1_000
/** After a failure of the node: its old blocks must not take the place of its new ones. */
const FAILED_MS = 15_000
/** When no more blocks are left, they are derived again while the head waits, or the end would never be reached. */
const LAST_BLOCKS = 8

export async function deriveAgain(options: DeriveAgainOptions, signal: AbortSignal): Promise<void> {
  const { database, log, betweenBlocks, onProgress } = options
  const { outdated: found } = await derivationState(database)
  if (found.length === 0) return
  log.info({ outdated: found }, 'indexer: derives again what an older version derived')
  await betweenBlocks(() => beginDerivingAgain(database))
  let progress = nothingToDerive
  const report = (change: Partial<DeriveAgainProgress>) => {
    progress = { ...progress, ...change }
    onProgress(progress)
  }
  const onDerived = (blocks: readonly NodeBlock[], isReplaced: boolean) =>
    report({
      from: blocks.at(-1)!.header.number + 1,
      blocks: progress.blocks + blocks.length,
      replaced: progress.replaced + (isReplaced ? blocks.length : 0),
      problem: null,
    })

  while (!signal.aborted) {
    const { outdated, derivedTo } = await derivationState(database)
    if (outdated.length === 0) break
    const left = await nextToDerive(database)
    const isWaiting = left === undefined && derivedTo !== undefined
    report({ state: isWaiting ? 'waiting for the backfill' : 'deriving again', outdated, ...(left ?? NO_BLOCKS) })
    try {
      if (isWaiting) await sleep(WAIT_MS, signal)
      else if (left === undefined) await sumTokensAgain(options, signal)
      else if (left.from > left.to) await betweenBlocks(() => endIfAllDerived(database))
      else if (outdated.every((thing) => DERIVED_THINGS[thing].from !== 'node')) {
        await betweenBlocks(() => deriveActivityAgain(database))
      } else if (left.to - left.from < LAST_BLOCKS) {
        await betweenBlocks(() => deriveUpToHead(options, { signal, exclusively: (work) => work(), onDerived }))
      } else await deriveUpToHead(options, { signal, exclusively: betweenBlocks, onDerived })
    } catch (error) {
      if (!isOfNode(error)) throw error
      report({ state: 'waiting for the node', problem: (error as Error).message })
      await sleep(error instanceof BrokenChain ? WAIT_MS : FAILED_MS, signal)
    }
    await sleep(PAUSE_MS, signal)
  }
  log.info({ blocks: progress.blocks, replaced: progress.replaced }, 'indexer: the whole index is of this version')
  report({ ...nothingToDerive, blocks: progress.blocks, replaced: progress.replaced })
}

const NO_BLOCKS = { from: null, to: null }

/** Token by token. A token that a reorg interrupted is summed again, and after a restart all of them are. */
async function sumTokensAgain({ database, betweenBlocks }: DeriveAgainOptions, signal: AbortSignal): Promise<void> {
  for (
    let token = await tokenAfter(database, undefined);
    token !== undefined;
    token = await tokenAfter(database, token)
  ) {
    while (!(await sumTokenAgain(database, token, betweenBlocks))) await sleep(WAIT_MS, signal)
    await sleep(0, signal)
  }
  await betweenBlocks(() => endSummingAgain(database))
}

type Run = {
  readonly signal: AbortSignal
  readonly exclusively: Mutex
  readonly onDerived: (blocks: readonly NodeBlock[], isReplaced: boolean) => void
}

/** Up to the block that is stored last now, or until the stored chain is another one. */
async function deriveUpToHead(
  { node, database, newCompleter, onReplaced }: DeriveAgainOptions,
  { signal, exclusively, onDerived }: Run,
): Promise<void> {
  const { outdated } = await derivationState(database)
  const left = await nextToDerive(database)
  const [range] = await rangesStored(database)
  if (left === undefined || range === undefined) return
  await requireBlock(node, left.from, signal)
  const completer = await newCompleter(range.firstHeight, left.from)
  for await (const blocks of batched(node.blocks(left, signal), STEP)) {
    const derived: DerivedBlock[] = []
    for (const block of blocks) derived.push(await derivedWithStoredCalls(database, block, outdated))
    const rows = await completer.complete(derived, signal)
    const outcome = await exclusively(async () => {
      signal.throwIfAborted()
      const replacement = await replaceBlocks(database, rows)
      if (replacement === 'replaced') onReplaced()
      return replacement
    })
    if (outcome === 'refused') return
    onDerived(blocks, outcome === 'replaced')
    await sleep(PAUSE_MS, signal)
  }
}

/** Blocks that the node has thrown away would be asked for again and again, and the head would wait for that. */
async function requireBlock(node: Pick<Node, 'ask'>, height: number, signal: AbortSignal): Promise<void> {
  const at = toQuantity(height)
  const calls = [
    { method: 'eth_getBlockByNumber', params: [at, false] },
    { method: 'eth_getBlockReceipts', params: [at] },
  ]
  for (const answer of await node.ask(calls, signal)) {
    if (answer.type === 'refused' && answer.code !== METHOD_NOT_FOUND) throw new NodeUnavailable(answer.message)
    if (answer.type === 'result' && answer.result === null) {
      throw new NodeUnavailable(`the node has no block ${height} any more`)
    }
  }
}

const METHOD_NOT_FOUND = -32601

/**
 * Where the node has no traces of the block any more, the stored calls are as good, unless older rules derived them: then they stay, and
 * the block is marked as one whose calls are not all known.
 */
async function derivedWithStoredCalls(
  database: Database,
  block: NodeBlock,
  outdated: readonly DerivedThing[],
): Promise<DerivedBlock> {
  const calls = block.traces === null ? await storedCalls(database, block.header.number) : undefined
  if (calls === undefined) return deriveBlock(block)
  const derived = deriveBlock({ ...block, traces: framesFromRows(calls), noTracesReason: null })
  if (!outdated.includes('internal transactions')) return derived
  const reason = 'as an older version of this program derived them; the node has no traces of this block any more'
  const gap = { height: block.header.number, transactionIndex: WHOLE_BLOCK, reason, mayMove: 0 } as const
  return { ...derived, traceGaps: [gap] }
}

function isOfNode(error: unknown): boolean {
  return (
    error instanceof UpstreamError ||
    error instanceof NodeUnavailable ||
    error instanceof BrokenChain ||
    error instanceof RpcRefusal
  )
}
