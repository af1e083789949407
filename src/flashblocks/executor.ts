// Keeps the state after the tip of the pending chain: follows the chain, executes only what is new, and believes its own results only
// as far as the feed and the canonical chain agree with them. On any disagreement it forgets everything it knew.
import type { Hex } from '../chain/hex.ts'
import type { Receipt } from '../chain/receipt.ts'
import type { BlockEnv } from '../evm/machine.ts'
import type { Misses, StateChanges, StateSource } from '../evm/state-source.ts'
import { disagreementIn } from './disagreement.ts'
import { type ExecutedBlock, executeBlock, rebased } from './execute-block.ts'
import type { CanonicalHead } from './links.ts'
import { type AskNode, NodeState, StateUnavailable } from './node-state.ts'
import type { PendingBlock, RulesOf } from './pending-block.ts'
import type { PendingChain } from './pending-chain.ts'

export type PendingState = {
  /** What it is the state after. */
  readonly block: PendingBlock
  readonly env: BlockEnv
  /** Immutable; answers undefined for what is to be fetched. */
  readonly source: StateSource
  /** Of all the block's transactions. */
  readonly receipts: readonly Receipt[]
  /** Since the block's parent. */
  readonly changes: StateChanges
  /** Makes known what was missed. Throws `StateUnavailable` where the node does not tell. */
  fetch(misses: Partial<Misses>, signal: AbortSignal): Promise<void>
}

export type Following =
  /** After each of the chain's blocks, lowest first. */
  | { readonly type: 'executed'; readonly states: readonly PendingState[] }
  /** The feed, or the machine, is wrong about a block: until it is settled there is no state. */
  | { readonly type: 'disagrees'; readonly hash: Hex; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: string }

export type Executor = {
  /** One at a time. */
  follow(chain: PendingChain, signal: AbortSignal): Promise<Following>
}

export type ExecutorDependencies = {
  readonly ask: AskNode
  readonly rulesOf: RulesOf
  readonly chainId: bigint
}

export function createExecutor({ ask, rulesOf, chainId }: ExecutorDependencies): Executor {
  let node: NodeState | null = null
  let executed: readonly ExecutedBlock[] = []
  /** A payload that we disagreed with even on fresh state. */
  let distrusted: { readonly payloadId: Hex; readonly following: Following } | null = null

  const forget = (pin: CanonicalHead): NodeState => {
    executed = []
    return NodeState.at(pin)
  }

  /** Carries what is known over to the canonical head, where the chain up to it is what we executed. */
  const nodeAt = ({ canonical, heads }: PendingChain): NodeState | null => {
    if (canonical === null) return null
    if (node === null || node.size > MAX_ACCOUNTS) return forget(canonical)
    let moved = node
    const past = heads.filter(({ height }) => height > moved.pin.height)
    for (const head of past) {
      const [lowest, ...rest] = executed
      if (head.parentHash !== moved.pin.hash || lowest === undefined || !isSettledAs(lowest, head)) break
      moved = moved.movedTo(head, lowest.changes)
      executed = rest
    }
    if (moved.pin.hash !== canonical.hash) return forget(canonical)
    if (moved !== node) executed = rebasedOn(moved, executed)
    return moved
  }

  const run = async (state: NodeState, blocks: readonly PendingBlock[], signal: AbortSignal): Promise<Following> => {
    const fetch = (misses: Partial<Misses>) => state.fetch(ask, misses, signal)
    for (const [at, block] of blocks.entries()) {
      const before = executedBefore(executed[at], block)
      if (before?.block.hash === block.hash) {
        // The same in all that is executed; an empty flashblock, or receipts that were filled in.
        executed = executed.with(at, { ...before, block })
        continue
      }
      const ground = { chainId, rules: rulesOf(block.header), source: executed[at - 1]?.source ?? state, fetch }
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
      node = nodeAt(chain)
      const { canonical, blocks } = chain
      if (node === null || canonical === null) return { type: 'unavailable', reason: 'the node has told no head yet' }
      if (blocks.some(({ payloadId }) => payloadId === distrusted?.payloadId)) return distrusted!.following
      try {
        const following = await run(node, blocks, signal)
        if (following.type !== 'disagrees') return following
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

/** Accounts that are remembered; with more it begins anew. */
const MAX_ACCOUNTS = 200_000

/** Equal hashes prove it. A feed that leaves the state root out tells another hash: there the roots that it does tell must do. */
const isSettledAs = ({ block: { hash, header } }: ExecutedBlock, head: CanonicalHead): boolean =>
  hash === head.hash ||
  (header.number === head.height &&
    header.parentHash === head.parentHash &&
    header.transactionsRoot === head.transactionsRoot &&
    header.receiptsRoot === head.receiptsRoot)

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

const stateOf = (state: NodeState, ask: AskNode, executed: ExecutedBlock): PendingState => ({
  ...executed,
  fetch: (misses, signal) => state.fetch(ask, misses, signal),
})
