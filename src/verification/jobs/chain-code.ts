// Reads the code of a contract: the runtime code from the node, the creation code from the index or, where another contract
// created it, from the trace of the transaction that created it.
import { addressToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { type CallFrame, isCreation } from '../../chain/trace/call-frame.ts'
import { traceFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
import type { Queries } from '../../store/engine/database.ts'
import { contractCreations } from '../../store/read/contracts.ts'
import { transactionInput, transactionsByHash } from '../../store/read/transactions.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { ChainCode } from '../matching/verdict.ts'

export type ChainCodeSource = { readonly node: Pick<Node, 'call'>; readonly queries: Queries }

/** Undefined where the address has no code. */
export async function chainCodeOf(
  source: ChainCodeSource,
  address: Hex,
  signal: AbortSignal,
): Promise<ChainCode | undefined> {
  const runtime = await codeAt(source.node, address, signal)
  if (runtime.length === 0) return undefined
  return { address, runtime, creation: await creationCodeOf(source, address, signal) }
}

export async function codeAt(node: Pick<Node, 'call'>, address: Hex, signal: AbortSignal): Promise<Uint8Array> {
  return hexToBytes((await node.call('eth_getCode', [address, 'latest'], signal)) as string)
}

/** Undefined where it cannot be known: created before the first indexed block, or inside a call that the node does not trace. */
async function creationCodeOf(
  { node, queries }: ChainCodeSource,
  address: Hex,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const creation = (await contractCreations(queries, [address])).get(address)
  if (!creation?.transactionHash) return undefined
  const [transaction] = await transactionsByHash(queries, [creation.transactionHash])
  if (transaction?.contractAddress === address) {
    const input = await transactionInput(queries, transaction.pos)
    return input === undefined ? undefined : hexToBytes(input)
  }
  try {
    const traced = await node.call(
      'debug_traceTransaction',
      [creation.transactionHash, { tracer: 'callTracer' }],
      signal,
    )
    return creationInput(traceFromCallTracer(traced).frame, address)
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return parityCreation(
      await node.call('trace_transaction', [creation.transactionHash], signal).catch(() => []),
      address,
    )
  }
}

/** The input of the call frame that created this address and was not reverted. */
function creationInput(frame: CallFrame | null, address: Hex): Uint8Array | undefined {
  if (frame === null) return undefined
  if (frame.error !== null) return undefined
  if (isCreation(frame) && frame.to !== null && addressToHex(frame.to) === address) return frame.input
  for (const call of frame.calls) {
    const input = creationInput(call, address)
    if (input) return input
  }
  return undefined
}

type ParityTrace = { type?: string; action?: { init?: string }; result?: { address?: string } | null }

function parityCreation(traces: unknown, address: Hex): Uint8Array | undefined {
  if (!Array.isArray(traces)) return undefined
  const creation = (traces as ParityTrace[]).find(
    ({ type, result }) => type === 'create' && result?.address?.toLowerCase() === address,
  )
  return creation?.action?.init === undefined ? undefined : hexToBytes(creation.action.init)
}
