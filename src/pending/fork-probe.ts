// Asks a node whether it executes a block by the rules of Osaka, which Karst brings to the OP Stack: by a call that creates a contract
// whose constructor uses CLZ, an operation that fails before. It needs no account, no storage and no method that nodes may leave out.

import { type Hex, hexToWord } from '../chain/bytes/hex.ts'
import type { AskNode } from './node-state.ts'

/** Undefined where the node does not answer. */
export async function executesOsaka(ask: AskNode, blockHash: Hex, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const params = [{ input: PROBE, data: PROBE }, { blockHash }]
    const [answer] = await ask([{ method: 'eth_call', params }], signal)
    if (answer?.type !== 'result' || typeof answer.result !== 'string') return undefined
    return hexToWord(answer.result) === 1n
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/**
 * PUSH4 <PUSH1 1, CLZ, STOP>, PUSH1 0, MSTORE, then CREATE with these four bytes; returns 1 if the creation succeeded and 0 if not. The
 * call itself always succeeds, so an error is never the answer.
 */
const PROBE: Hex = '0x6360011e006000526004601c6000f0151560005260206000f3'
