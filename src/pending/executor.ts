// The executor holds the state after the tip of the pending chain. It follows the chain, executes only what is new, and believes its own
// results only as far as the feed and the canonical chain agree with them. On any disagreement it forgets everything it knew.
import { addressToHex, equalBytes, type Hex } from '../chain/bytes/hex.ts'
import { unionOfBlooms } from '../chain/codec/bloom.ts'
import type { Receipt } from '../chain/codec/receipt.ts'
import { orderedRoot } from '../chain/trie/ordered-root.ts'
import type { BlockEnv } from '../evm/core/block-env.ts'
import type { Misses, StateChanges, StateSource } from '../evm/state/state-source.ts'
import { type BlockGround, type ExecutedBlock, executeBlock, rebased } from './execute-block.ts'
import { type AskNode, type KnownLimits, NodeState, StateUnavailable } from './node-state.ts'
import type { PendingBlock, RulesOf } from './pending-block.ts'
import { type CanonicalHead, isSettledAs, type PendingChain } from './pending-chain.ts'
import { createForesight } from './prefetch-state.ts'
import { asPendingBlock, beginningExecuted, type SealedBlock } from './sealed-block.ts'

export type PendingState = {
  /** The block whose state this is, after its last transaction. */
  readonly block: PendingBlock
  readonly env: BlockEnv
  /** Immutable; answers undefined for what is to be fetched. */
  readonly source: StateSource
  /** Of all the block's transactions. */
  readonly receipts: readonly Receipt[]
  /** Since the block's parent. */
  readonly changes: StateChanges
  /** Fetches what was missed. Throws `StateUnavailable` where the node does not answer. */
  fetch(misses: Partial<Misses>, signal: AbortSignal): Promise<void>
}

export type ExecutionResult =
  /** After each of the chain's blocks, lowest first. */
  | { readonly type: 'executed'; readonly states: readonly PendingState[] }
  /** The feed, or the machine, is wrong about a block: until it is settled there is no state. */
  | { readonly type: 'disagrees'; readonly hash: Hex; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: string }

export type Executor = {
  /** One at a time. */
  follow(chain: PendingChain, signal: AbortSignal): Promise<ExecutionResult>
}

/** One canonical block that was executed here; `problem` is null where the result is the chain's. */
export type SealedRun = { readonly height: number; readonly hash: Hex; readonly problem: string | null }

export type ExecutorDependencies = {
  readonly ask: AskNode
  readonly rulesOf: RulesOf
  readonly chainId: bigint
  /** A recent canonical block by its hash. The executor runs it where its flashblocks did not contain all of it. */
  readonly sealed?: (hash: Hex) => SealedBlock | undefined
  /** Called before a block that we disagree with runs a second time: a new fork may be active. */
  readonly reconsiderRules?: (signal: AbortSignal) => Promise<void>
  /** Every canonical block that was executed here, with what it differs in. */
  readonly onSealedRun?: (run: SealedRun) => void
}

export function createExecutor(dependencies: ExecutorDependencies): Executor {
  const { ask, rulesOf, chainId, sealed = () => undefined } = dependencies
  const { reconsiderRules = async () => {}, onSealedRun = () => {} } = dependencies
  const foresight = createForesight(ask)
  let node: NodeState | null = null
  let executed: readonly ExecutedBlock[] = []
  /** A payload that we disagreed with even on fresh state. */
  let distrusted: { readonly payloadId: Hex; readonly following: ExecutionResult } | null = null

  const forget = (pin: CanonicalHead): NodeState => {
    executed = []
    return NodeState.at(pin)
  }

  const groundOn = (state: NodeState, source: StateSource, block: PendingBlock, signal: AbortSignal): BlockGround => ({
    chainId,
    rules: rulesOf(block.header),
    source,
    fetch: (misses) => state.fetch(ask, misses, signal),
    foresee: (transactions) => foresight(transactions, state.pin, signal),
  })

  /** The state after the next canonical block: what was executed of it is taken, and what was not is run now. */
  const stepped = async (from: Carried, head: CanonicalHead, signal: AbortSignal): Promise<Carried | null> => {
    const [lowest, ...above] = from.executed
    if (head.parentHash !== from.state.pin.hash) return null
    if (lowest !== undefined && isSettledAs(lowest.block, head)) {
      onSealedRun({ ...head, problem: null })
      return { state: from.state.movedTo(head, lowest.changes), executed: above }
    }
    const block = sealed(head.hash)
    if (block === undefined) return null
    const whole = asPendingBlock(block)
    const ground = groundOn(from.state, from.state, whole, signal)
    const execution = await executeBlock(ground, whole, beginningExecuted(lowest, block))
    const problem = execution.type === 'refused' ? execution.message : disagreementIn(execution.executed)
    onSealedRun({ ...head, problem })
    if (execution.type === 'refused' || problem !== null) return null
    // The blocks above were executed on another state.
    return { state: from.state.movedTo(head, execution.executed.changes), executed: [] }
  }

  /** Carries what is known over to the canonical head, as long as it is known what each block on the way changed. */
  const nodeAt = async ({ heads }: PendingChain, canonical: CanonicalHead, signal: AbortSignal): Promise<NodeState> => {
    if (node === null || node.isOver(LIMITS)) return forget(canonical)
    const { height } = node.pin
    let carried: Carried | null = { state: node, executed }
    for (const head of heads.filter((each) => each.height > height)) {
      carried = carried && (await stepped(carried, head, signal))
    }
    if (carried?.state.pin.hash !== canonical.hash) return forget(canonical)
    if (carried.state !== node) executed = rebasedOn(carried.state, carried.executed)
    return carried.state
  }

  const run = async (
    state: NodeState,
    blocks: readonly PendingBlock[],
    signal: AbortSignal,
  ): Promise<ExecutionResult> => {
    for (const [at, block] of blocks.entries()) {
      const before = executedBefore(executed[at], block)
      if (before?.block.hash === block.hash) {
        // Nothing new to execute: the flashblock was empty, or only receipts were filled in.
        executed = executed.with(at, { ...before, block })
        continue
      }
      const ground = groundOn(state, executed[at - 1]?.source ?? state, block, signal)
      const execution = await executeBlock(ground, block, before)
      if (execution.type === 'refused') return { type: 'disagrees', hash: block.hash, reason: execution.message }
      const reason = disagreementIn(execution.executed)
      if (reason !== null) return { type: 'disagrees', hash: block.hash, reason }
      executed = [...executed.slice(0, at), execution.executed]
    }
    return { type: 'executed', states: executed.slice(0, blocks.length).map((each) => stateOf(state, ask, each)) }
  }

  return {
    async follow(chain, signal) {
      const { canonical, blocks } = chain
      if (canonical === null) return { type: 'unavailable', reason: 'the node has reported no head yet' }
      try {
        node = await nodeAt(chain, canonical, signal)
        if (blocks.some(({ payloadId }) => payloadId === distrusted?.payloadId)) return distrusted!.following
        const following = await run(node, blocks, signal)
        if (following.type !== 'disagrees') return following
        await reconsiderRules(signal)
        node = forget(canonical)
        const again = await run(node, blocks, signal)
        const wrong = again.type === 'disagrees' ? blocks.find(({ hash }) => hash === again.hash) : undefined
        distrusted = wrong === undefined ? null : { payloadId: wrong.payloadId, following: again }
        return again
      } catch (error) {
        if (error instanceof StateUnavailable) return { type: 'unavailable', reason: error.message }
        throw error
      }
    },
  }
}

type Carried = { readonly state: NodeState; readonly executed: readonly ExecutedBlock[] }

/** How much of the node's state is cached, a few hundred megabytes; beyond that the cache begins empty again. */
const LIMITS: KnownLimits = { accounts: 200_000, slots: 1_000_000, codeBytes: 128 * 2 ** 20 }

/** What was executed of a block earlier, if the block goes on from there. */
function executedBefore(executed: ExecutedBlock | undefined, block: PendingBlock): ExecutedBlock | null {
  if (executed?.block.payloadId !== block.payloadId) return null
  return executed.receipts.length <= block.transactions.length ? executed : null
}

function rebasedOn(state: NodeState, executed: readonly ExecutedBlock[]): readonly ExecutedBlock[] {
  let source: StateSource = state
  return executed.map((each) => {
    const moved = rebased(each, source)
    source = moved.source
    return moved
  })
}

function stateOf(state: NodeState, ask: AskNode, executed: ExecutedBlock): PendingState {
  return {
    ...executed,
    fetch: (misses, signal) => state.fetch(ask, misses, signal),
  }
}

/** The first thing that differs, in words; null where nothing does. */
export function disagreementIn({ block, receipts, encodedReceipts, source }: ExecutedBlock): string | null {
  const { header, balances } = block
  const gasUsed = receipts.at(-1)?.cumulativeGasUsed ?? 0n
  if (gasUsed !== header.gasUsed) return `gas: ${gasUsed} executed, ${header.gasUsed} announced`
  if (orderedRoot(encodedReceipts) !== header.receiptsRoot) return 'receipts root'
  if (!equalBytes(unionOfBlooms(receipts.map(({ logsBloom }) => logsBloom)), header.logsBloom)) return 'logs bloom'
  for (const [address, announced] of balances) {
    const balance = source.account(address)?.balance ?? 0n
    if (balance !== announced) return `balance of ${addressToHex(address)}: ${balance} executed, ${announced} announced`
  }
  return null
}
