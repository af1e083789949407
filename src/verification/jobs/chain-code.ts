// The code of a contract: what runs, from the node, and what made it, from our index or, for what another contract created, from
// the trace of the transaction that the index names.

import { addressToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { type CallFrame, isCreation } from '../../chain/trace/call-frame.ts'
import { frameFromCallTracer } from '../../chain/trace/call-tracer-frames.ts'
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

/** Null where nobody can tell: created before the first indexed block, or inside a call that the node does not trace. */
async function creationCodeOf(
  { node, queries }: ChainCodeSource,
  address: Hex,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const creation = (await contractCreations(queries, [address])).get(address)
  if (!creation?.transactionHash) return null
  const [transaction] = await transactionsByHash(queries, [creation.transactionHash])
  if (transaction?.contractAddress === address) {
    const input = await transactionInput(queries, transaction.pos)
    return input === undefined ? null : hexToBytes(input)
  }
  try {
    const traced = await node.call(
      'debug_traceTransaction',
      [creation.transactionHash, { tracer: 'callTracer' }],
      signal,
    )
    return creationInput(frameFromCallTracer(traced), address)
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return parityCreation(
      await node.call('trace_transaction', [creation.transactionHash], signal).catch(() => []),
      address,
    )
  }
}

/** Of the frame that created this very address and was not undone. */
function creationInput(frame: CallFrame, address: Hex): Uint8Array | null {
  if (frame.error !== null) return null
  if (isCreation(frame) && frame.to !== null && addressToHex(frame.to) === address) return frame.input
  for (const call of frame.calls) {
    const input = creationInput(call, address)
    if (input) return input
  }
  return null
}

type ParityTrace = { type?: string; action?: { init?: string }; result?: { address?: string } | null }

function parityCreation(traces: unknown, address: Hex): Uint8Array | null {
  if (!Array.isArray(traces)) return null
  const made = (traces as ParityTrace[]).find(
    ({ type, result }) => type === 'create' && result?.address?.toLowerCase() === address,
  )
  return made?.action?.init === undefined ? null : hexToBytes(made.action.init)
}
