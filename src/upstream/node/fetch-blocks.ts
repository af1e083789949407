// Blocks with all that belongs to them, from one URL: asked for together, checked one by one. Good blocks are stored in `found`; for
// the rest an error is thrown, and the caller asks again.
import { toQuantity } from '../../chain/bytes/hex.ts'
import { asObject, hashOf, listOf } from '../../chain/rpc/fields.ts'
import { checkedBlock, readable } from './check-block.ts'
import type { Endpoint } from './endpoint.ts'
import { BadAnswer, PassingRefusal, UpstreamError } from './failures.ts'
import type { HeaderShapes } from './header-shapes.ts'
import { type Answer, isPassing, type RpcCall } from './json-rpc.ts'
import type { NodeBlock } from './node-block.ts'
import type { NodeProfile } from './profile.ts'
import { type TraceAttempts, traceAnswer, traceCall, withTraces } from './traces.ts'

/** What has come of some heights so far. */
export type BlockFetch = {
  /** Null where the node has no such block. */
  readonly found: Map<number, NodeBlock | null>
  readonly traceAttempts: TraceAttempts
}

export function startFetch(): BlockFetch {
  return { found: new Map(), traceAttempts: new Map() }
}

export type FetchMeans = {
  readonly endpoint: Endpoint
  readonly shapes: HeaderShapes
  readonly senderSample: number
  readonly signal: AbortSignal
}

/** Adds to `fetch.found` what it can, and throws the first `UpstreamError` if that was not everything. */
export async function fetchBlocks(means: FetchMeans, heights: readonly number[], fetch: BlockFetch): Promise<void> {
  const profile = await means.endpoint.profile(means.signal)
  const answers = await answersFor(heights, profile, means)
  const perBlock = answers.length / heights.length
  let problem: UpstreamError | undefined
  for (const [index, height] of heights.entries()) {
    try {
      const own = answers.slice(index * perBlock, (index + 1) * perBlock)
      fetch.found.set(height, await blockFrom(own, height, { ...means, profile, attempts: fetch.traceAttempts }))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      problem ??= error
    }
  }
  if (problem !== undefined) throw problem
}

/** As many for each block, the traces last where there are any. */
async function answersFor(
  heights: readonly number[],
  profile: NodeProfile,
  { endpoint, signal }: FetchMeans,
): Promise<Answer[]> {
  const calls = heights.flatMap((height) => callsFor(height, profile))
  if (heights.length > 1 || profile.traces.method === null) return endpoint.exchange(calls, signal)
  const [answers, traced] = await Promise.all([
    endpoint.exchange(calls.slice(0, -1), signal),
    traceAnswer(endpoint, calls.at(-1)!, signal),
  ])
  return [...answers, traced]
}

function callsFor(height: number, { receipts, traces }: NodeProfile): RpcCall[] {
  const at = toQuantity(height)
  const calls: RpcCall[] = [{ method: 'eth_getBlockByNumber', params: [at, true] }]
  if (receipts.method === 'eth_getBlockReceipts') calls.push({ method: receipts.method, params: [at] })
  if (traces.method !== null) calls.push(traceCall(traces.method, at))
  return calls
}

type BlockMeans = FetchMeans & { readonly profile: NodeProfile; readonly attempts: TraceAttempts }

async function blockFrom(own: readonly Answer[], height: number, means: BlockMeans): Promise<NodeBlock | null> {
  const { shapes, senderSample, profile, attempts } = means
  const block = resultOf(own[0]!)
  if (block === null) return null
  const receipts = await receiptsOf(block, own, means)
  const isStrangeShape = (shape: string) => shapes.isStrange(shape)
  const { isOpWithoutDeposits } = profile
  const checked = checkedBlock({ block, receipts }, { height, isStrangeShape, senderSample, isOpWithoutDeposits })
  shapes.confirm(block)
  return withTraces(checked, own.at(-1)!, { traces: profile.traces, attempts })
}

async function receiptsOf(block: unknown, own: readonly Answer[], means: BlockMeans): Promise<unknown> {
  if (means.profile.receipts.method === 'eth_getBlockReceipts') return resultOf(own[1]!)
  const hashes = readable(() =>
    listOf(asObject(block, 'block'), 'transactions', (item) => hashOf(asObject(item, 'transaction'), 'hash')),
  )
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  return calls.length === 0 ? [] : (await means.endpoint.exchange(calls, means.signal)).map(resultOf)
}

function resultOf(answer: Answer): unknown {
  if (answer.type === 'result') return answer.result
  const message = `the node refuses: ${answer.message}`
  throw isPassing(answer) ? new PassingRefusal(message) : new BadAnswer(message)
}
