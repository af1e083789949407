// Which block a block parameter means within a scope, and who answers for it: the pending chain or the node.
import { type Hex, toQuantity } from '../../chain/bytes/hex.ts'
import { asObject, hashOf } from '../../chain/rpc/fields.ts'
import type { BlockParameter } from '../../contract/rpc-params.ts'
import { serverError } from '../../evm/call/call-failures.ts'
import type { PendingState } from '../../pending/executor.ts'
import type { PendingBlock } from '../../pending/pending-block.ts'
import { canonicalBlock, isCanonical } from './block-cache.ts'
import type { Scope } from './scope.ts'

/** A known block is a preconfirmed one, or a canonical one whose flashblocks contained all of it. */
export type BlockLocation = { readonly type: 'known'; readonly block: PendingBlock } | AtNode
export type AtNode = { readonly type: 'node'; readonly at: NodeBlockParameter }
/** A block parameter as the node takes it. */
export type NodeBlockParameter = string | { readonly blockHash: Hex; readonly requireCanonical?: boolean }

export type OptionalBlock = BlockParameter | null | undefined

/** While nothing is pending, `pending` means `latest` (docs/spec-gaps.md#36). */
export function isTip({ rpc, view }: Scope, parameter: OptionalBlock): boolean {
  if (view.snapshot.tip === null || (parameter && parameter.type !== 'tag')) return false
  const tag = parameter?.tag ?? 'latest'
  return tag === 'pending' || (tag === 'latest' && rpc.latest === 'preconfirmed')
}

export async function locateBlock(scope: Scope, parameter: OptionalBlock): Promise<BlockLocation> {
  const { view, rpc } = scope
  if (isTip(scope, parameter)) return { type: 'known', block: view.snapshot.tip! }
  if (parameter?.type === 'number') {
    const block =
      view.snapshot.blockByNumber(parameter.number) ?? canonicalBlock(rpc.blockCache, view, parameter.number)
    return block === null ? { type: 'node', at: toQuantity(parameter.number) } : { type: 'known', block }
  }
  if (parameter?.type === 'hash') {
    const hash = parameter.hash as Hex
    return parameter.requireCanonical ? locateCanonical(scope, hash) : locateByHash(scope, hash)
  }
  const tag = parameter?.tag ?? 'latest'
  if (tag !== 'latest' && tag !== 'pending') return { type: 'node', at: tag }
  const head = await headHash(scope)
  return head === undefined ? { type: 'node', at: 'latest' } : locateByHash(scope, head)
}

/** Finds any flashblock of the last blocks (docs/spec-gaps.md#38). The node answers for a canonical block that is known only in part. */
export function locateByHash({ view, rpc }: Scope, hash: Hex): BlockLocation {
  const block = isCanonical(view, hash) ? canonicalBlock(rpc.blockCache, view, hash) : view.snapshot.blockByHash(hash)
  return block === null ? { type: 'node', at: { blockHash: hash } } : { type: 'known', block }
}

/** EIP-1898: a block that is only preconfirmed is refused. */
function locateCanonical(scope: Scope, hash: Hex): BlockLocation {
  const found = locateByHash(scope, hash)
  if (found.type === 'node') return { type: 'node', at: { blockHash: hash, requireCanonical: true } }
  if (isCanonical(scope.view, hash)) return found
  throw serverError('hash is not currently canonical')
}

/** The hash that `latest` means. Undefined: a single request while nothing is pending leaves `latest` to the node. */
export async function headHash(scope: Scope): Promise<Hex | undefined> {
  const { snapshot } = scope.view
  if (snapshot.tip !== null) return snapshot.canonical!.hash
  if (!scope.isBatch) return undefined
  scope.head ??= scope
    .ask('eth_getBlockByNumber', ['latest', false])
    .then((block) => hashOf(asObject(block, 'block'), 'hash'))
  return scope.head
}

export type StateLocation = { readonly type: 'state'; readonly state: PendingState } | AtNode

/** Throws if the block is preconfirmed but its state is not available. */
export async function locateState(scope: Scope, parameter: OptionalBlock): Promise<StateLocation> {
  const found = await locateBlock(scope, parameter)
  if (found.type === 'node') return found
  const { view, rpc } = scope
  const { hash } = found.block
  const index = view.snapshot.blocks.indexOf(found.block)
  const state = (index === -1 ? undefined : view.states[index]) ?? rpc.recentStates.get(hash)
  if (state) return { type: 'state', state }
  if (isCanonical(view, hash)) return { type: 'node', at: { blockHash: hash } }
  // docs/spec-gaps.md#36: without a state, `pending` means the canonical head.
  if (isTip(scope, parameter)) return { type: 'node', at: { blockHash: view.snapshot.canonical!.hash } }
  return stateOnceExecuted(scope, found.block)
}

/** A flashblock that has just arrived is about to be executed, so a request that names it by its hash waits for that. */
async function stateOnceExecuted({ rpc }: Scope, { hash, header }: PendingBlock): Promise<StateLocation> {
  const { pendingChain, recentStates } = rpc
  const isPending = pendingChain.view().snapshot.blocks.some((block) => block.hash === hash)
  if (isPending) await recentStates.untilExecuted(hash)
  const state = recentStates.get(hash)
  if (state !== undefined) return { type: 'state', state }
  const now = pendingChain.view()
  if (isCanonical(now, hash)) return { type: 'node', at: { blockHash: hash } }
  const reason = isPending ? (now.problem ?? 'it is not executed yet') : 'it is too old'
  throw serverError(`the state after flashblock ${hash} of block ${header.number} is not available: ${reason}`)
}
