// Who a node is and what it can do. Asked once; each choice carries its reason, for /status.
import { fromQuantityToNumber, toQuantity } from '../../chain/bytes/hex.ts'
import { BadAnswer } from './failures.ts'
import { type Answer, isMissingMethod, type RpcCall } from './json-rpc.ts'

export type NodeProfile = {
  readonly chainId: number
  readonly clientVersion: string
  readonly receipts: { readonly method: 'eth_getBlockReceipts' | 'eth_getTransactionReceipt'; readonly reason: string }
  readonly traces: { readonly method: TraceMethod | null; readonly reason: string }
  /** From how far below the head the node still answers questions about state; null where it is an archive, or the chain is that young. */
  readonly state: { readonly depth: number | null; readonly reason: string }
  readonly tags: { readonly safe: boolean; readonly finalized: boolean }
  /** Its blocks need no deposit to be of the OP Stack: fees go to the vaults. Only anvil has such a mode, and nothing in a block shows it. */
  readonly isOpWithoutDeposits: boolean
}

export type TraceMethod = 'debug_traceBlockByNumber' | 'trace_block'

export const CALL_TRACER = { tracer: 'callTracer' } as const

type Ask = (calls: readonly RpcCall[]) => Promise<readonly Answer[]>

export async function probeProfile(ask: Ask, { wantsTraces }: { wantsTraces: boolean }): Promise<NodeProfile> {
  const [chainId, version, safe, finalized, receipts, parity] = await ask([
    { method: 'eth_chainId', params: [] },
    { method: 'web3_clientVersion', params: [] },
    { method: 'eth_getBlockByNumber', params: ['safe', false] },
    { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    { method: 'eth_getBlockReceipts', params: ['latest'] },
    { method: 'trace_block', params: [CHEAP_BLOCK] },
  ])
  const clientVersion = version?.type === 'result' ? String(version.result) : 'unknown'
  return {
    chainId: chainIdIn(chainId!),
    clientVersion,
    receipts: isOffered(receipts!)
      ? { method: 'eth_getBlockReceipts', reason: 'offered by the node: one call a block' }
      : { method: 'eth_getTransactionReceipt', reason: 'eth_getBlockReceipts is missing: one call a transaction' },
    traces: wantsTraces ? await chooseTraces({ ask, clientVersion, hasParity: isOffered(parity!) }) : NOT_WANTED,
    state: await probeState(ask),
    tags: { safe: hasBlock(safe!), finalized: hasBlock(finalized!) },
    isOpWithoutDeposits: isAnvil(clientVersion) && (await isOpAnvil(ask)),
  }
}

/** geth has the last 128 states unless it is an archive; others have as many as their settings say. Genesis is always there. */
const DEPTHS = [0, 16, 64, 126, 200, 1_000, 10_000, 90_000, 500_000]

async function probeState(ask: Ask): Promise<NodeProfile['state']> {
  const [latest] = await ask([{ method: 'eth_blockNumber', params: [] }])
  if (latest?.type !== 'result') return { depth: 0, reason: 'the node does not report its head' }
  const head = Number(latest.result)
  const depths = [...DEPTHS.filter((depth) => depth < head - 1), Math.max(0, head - 1)]
  const answers = await ask(
    depths.map((depth) => ({ method: 'eth_getBalance', params: [NOBODY, toQuantity(head - depth)] })),
  )
  const refused = answers.findIndex(({ type }) => type === 'refused')
  if (refused < 0) return { depth: null, reason: 'the node has the state of every block' }
  const depth = refused === 0 ? 0 : depths[refused - 1]!
  return { depth, reason: `the node has the state of the last ${depth} blocks or a little more` }
}

const NOBODY = '0x0000000000000000000000000000000000000001'

/** One line for people: the client, and what it can do. */
export function profileText({ clientVersion, state, traces, receipts }: NodeProfile): string {
  const stateText = state.depth === null ? 'archive' : `state of the last ${state.depth} blocks`
  const traceText = traces.method === null ? 'no traces' : `traces by ${traces.method}`
  return `${clientVersion}: ${stateText}, ${traceText}, receipts by ${receipts.method}`
}

const NOT_WANTED: NodeProfile['traces'] = { method: null, reason: 'not asked for' }

type TraceQuestion = { ask: Ask; clientVersion: string; hasParity: boolean }

/** geth's tracer is preferred: it also shows calls of precompiles. */
async function chooseTraces({ ask, clientVersion, hasParity }: TraceQuestion): Promise<NodeProfile['traces']> {
  if (hasParity && isAnvil(clientVersion)) {
    return {
      method: 'trace_block',
      reason: 'anvil needs time quadratic in the transactions for debug_traceBlockByNumber',
    }
  }
  const [debug] = await ask([{ method: 'debug_traceBlockByNumber', params: [CHEAP_BLOCK, CALL_TRACER] }])
  if (isOffered(debug!)) return { method: 'debug_traceBlockByNumber', reason: 'offered by the node: whole call trees' }
  if (hasParity) return { method: 'trace_block', reason: 'debug_traceBlockByNumber is missing' }
  return { method: null, reason: 'the node offers neither debug_traceBlockByNumber nor trace_block' }
}

function isAnvil(clientVersion: string): boolean {
  return /^anvil/i.test(clientVersion)
}

/** `anvil --network optimism` names a fork of the OP Stack. */
async function isOpAnvil(ask: Ask): Promise<boolean> {
  const [node] = await ask([{ method: 'anvil_nodeInfo', params: [] }])
  const { hardFork } = Object(node?.type === 'result' ? node.result : undefined) as { readonly hardFork?: unknown }
  return typeof hardFork === 'string' && OP_FORKS.test(hardFork)
}

const OP_FORKS = /^(bedrock|regolith|canyon|ecotone|fjord|granite|holocene|isthmus|jovian|karst|interop)$/i

/** A node that knows the method may still refuse this block: genesis is not traceable, or long forgotten. */
function isOffered(answer: Answer): boolean {
  return answer.type === 'result' || !isMissingMethod(answer)
}

/** Tracing the newest block may take longer than the timeout. */
const CHEAP_BLOCK = '0x0'

function hasBlock(answer: Answer): boolean {
  return answer.type === 'result' && answer.result !== null
}

function chainIdIn(answer: Answer): number {
  if (answer.type === 'result' && typeof answer.result === 'string') return fromQuantityToNumber(answer.result)
  throw new BadAnswer('eth_chainId gives no number')
}
