// What one request, or one batch, sees: one view of the pending chain, and the node at the head that the view stands on (docs/spec-gaps.md#37).
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { asObject, hashOf } from '../../chain/rpc/fields.ts'
import type { BlockParameter } from '../../contract/rpc-params.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { PendingView } from '../../pending/live-pending-chain.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import type { RpcConnection, RpcDependencies } from '../server/server.ts'
import type { NodeCalls } from './node-calls.ts'
import { hasState, isCanonical, type RecentBlocks, sealedBlock } from './recent-blocks.ts'

export type Scope = NodeCalls & {
  readonly dependencies: RpcDependencies
  readonly view: PendingView
  readonly recent: RecentBlocks
  readonly isBatch: boolean
  readonly connection: RpcConnection | undefined
  readonly signal: AbortSignal
  /** The head that `latest` means throughout a batch; set by whoever asks first. */
  head: Promise<Hex> | null
}

/** Ours: a preconfirmed block, or a canonical one that we know whole. */
export type BlockLocation = { readonly type: 'ours'; readonly block: PendingBlock } | AtNode
export type AtNode = { readonly type: 'node'; readonly at: NodeParameter }
/** A block parameter in the words of JSON-RPC. */
export type NodeParameter = string | { readonly blockHash: Hex; readonly requireCanonical?: boolean }

export type OptionalBlock = BlockParameter | null | undefined

/** Where nothing is pending, `pending` answers `latest` (docs/spec-gaps.md#36). */
export function isTip({ dependencies, view }: Scope, parameter: OptionalBlock): boolean {
  if (view.snapshot.tip === null || (parameter && parameter.type !== 'tag')) return false
  const tag = parameter?.tag ?? 'latest'
  return tag === 'pending' || (tag === 'latest' && dependencies.latest === 'preconfirmed')
}

export function locateBlock(scope: Scope, parameter: OptionalBlock): BlockLocation | Promise<BlockLocation> {
  const { snapshot } = scope.view
  if (isTip(scope, parameter)) return ours(snapshot.tip!)
  if (parameter?.type === 'number') {
    const block = snapshot.blockByNumber(parameter.number) ?? sealedBlock(scope.view, parameter.number)
    return block === null ? { type: 'node', at: toQuantity(parameter.number) } : ours(block)
  }
  if (parameter?.type === 'hash') {
    const hash = parameter.hash as Hex
    return parameter.requireCanonical ? locatedCanonical(scope, hash) : locateByHash(scope, hash)
  }
  const tag = parameter?.tag ?? 'latest'
  if (tag !== 'latest' && tag !== 'pending') return { type: 'node', at: tag }
  const head = headHash(scope)
  if (head instanceof Promise) return head.then((hash) => locateByHash(scope, hash))
  return head === null ? { type: 'node', at: 'latest' } : locateByHash(scope, head)
}

/** Any flashblock of the last blocks (docs/spec-gaps.md#38); of a canonical block that we heard only in part the node knows more. */
export function locateByHash({ view }: Scope, hash: Hex): BlockLocation {
  const block = isCanonical(view, hash) ? sealedBlock(view, hash) : view.snapshot.blockByHash(hash)
  return block === null ? { type: 'node', at: { blockHash: hash } } : ours(block)
}

/** EIP-1898: what is only promised will not do. */
function locatedCanonical(scope: Scope, hash: Hex): BlockLocation {
  const found = locateByHash(scope, hash)
  if (found.type === 'node') return { type: 'node', at: { blockHash: hash, requireCanonical: true } }
  if (isCanonical(scope.view, hash)) return found
  throw serverError('hash is not currently canonical')
}

export type StateAt = { readonly type: 'state'; readonly state: PendingState } | AtNode

/** Throws where the block is ours but its state is not known. */
export function stateAt(scope: Scope, parameter: OptionalBlock): StateAt | Promise<StateAt> {
  const found = locateBlock(scope, parameter)
  return found instanceof Promise ? found.then((at) => stateOf(scope, parameter, at)) : stateOf(scope, parameter, found)
}

function stateOf(scope: Scope, parameter: OptionalBlock, found: BlockLocation): StateAt | Promise<StateAt> {
  if (found.type === 'node') return found
  const { view, recent } = scope
  const { hash } = found.block
  const at = view.snapshot.blocks.indexOf(found.block)
  const state = (at === -1 ? null : view.states[at]) ?? recent.state(hash)
  if (state) return { type: 'state', state }
  if (isCanonical(view, hash)) return { type: 'node', at: { blockHash: hash } }
  // docs/spec-gaps.md#36: while we have no state, `pending` is what the node has.
  if (isTip(scope, parameter)) return { type: 'node', at: { blockHash: view.snapshot.canonical!.hash } }
  return stateOnceExecuted(scope, found.block)
}

/** A flashblock that was just heard is about to be executed: whoever asks for it by name can wait that long. */
async function stateOnceExecuted(scope: Scope, { hash, header }: PendingBlock): Promise<StateAt> {
  const { recent, dependencies } = scope
  const current = () => dependencies.pendingChain.view()
  const isPromised = current().snapshot.blocks.some((block) => block.hash === hash)
  if (isPromised) await recent.untilExecuted(hash)
  const state = recent.state(hash)
  if (state !== null) return { type: 'state', state }
  if (isCanonical(current(), hash)) return { type: 'node', at: { blockHash: hash } }
  const reason = isPromised ? (current().problem ?? 'it is not executed yet') : 'it is not kept'
  throw serverError(`the state after flashblock ${hash} of block ${header.number} is not available: ${reason}`)
}

/** Null: whatever is the node's when it is asked, which does for a single question while nothing is pending. */
export function headHash(scope: Scope): Hex | null | Promise<Hex> {
  const { snapshot } = scope.view
  if (snapshot.tip !== null) return snapshot.canonical!.hash
  if (!scope.isBatch) return null
  scope.head ??= scope
    .ask('eth_getBlockByNumber', ['latest', false])
    .then((block) => hashOf(asObject(block, 'block'), 'hash'))
  return scope.head
}

function ours(block: PendingBlock): BlockLocation {
  return { type: 'ours', block }
}

/** A view in which nothing is pending. */
export function withoutPending(view: PendingView): PendingView {
  return {
    ...view,
    states: [],
    snapshot: {
      ...view.snapshot,
      blocks: [],
      tip: null,
      blockByNumber: () => null,
      transaction: () => null,
    },
  }
}

/**
 * The view for a request. Where state is asked for and the executor is a moment behind, the view before does; where it is behind for
 * longer, a batch, whose answers must be of one moment, sees nothing pending.
 */
export function chooseView(
  current: PendingView,
  recent: RecentBlocks,
  { asksForState, isBatch }: { readonly asksForState: boolean; readonly isBatch: boolean },
): PendingView {
  if (!asksForState || current.snapshot.tip === null || hasState(current)) return current
  return recent.lastExecutedView(current) ?? (isBatch ? withoutPending(current) : current)
}
