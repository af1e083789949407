// Code and implementations as they are now, asked of the node and kept for a few seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { bytesToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { createLru } from '../../lib/cache/lru.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { ReadNode } from './node-world.ts'
import { type ResolvedProxy, resolveProxy } from './resolve.ts'

const ANSWER_WITHIN_MS = 8_000
const LOOK_EVERY_MS = 250

export type CodeNow = { readonly code: Uint8Array; readonly codeHash: Hex }

export type ContractReader = {
  /** Of an account without code: no bytes. */
  codeAt: (address: Hex) => Promise<CodeNow>
  proxyAt: (address: Hex) => Promise<ResolvedProxy | undefined>
}

export function createContractReader(source: ReadNode): ContractReader {
  const node = inTime(source)
  const ask = async (address: Hex): Promise<CodeNow> => {
    const call = { method: 'eth_getCode', params: [address, 'latest'] }
    const [answer] = await node.batch([call])
    if (answer?.type !== 'result') throw new RpcRefusal('eth_getCode', answer!)
    const code = hexToBytes(answer.result as string)
    return { code, codeHash: bytesToHex(keccak256(code)) }
  }
  // What has no code may have some with the next block, and tools ask as soon as they have sent it.
  const codeAt = keptFor(ask, ({ code }) => code.length > 0)
  const proxyAt = keptFor(async (address) => {
    const { code } = await codeAt(address)
    return resolveProxy(node, { address, code })
  })
  return { codeAt, proxyAt }
}

/** Of a contract that is only preconfirmed: its code is there with the next block, so whoever can wait does so for a moment. */
export async function codeSoon(
  codeNow: () => Promise<Uint8Array>,
  { withinMs, signal }: { withinMs: number; signal?: AbortSignal },
): Promise<Uint8Array> {
  const giveUpMs = Date.now() + withinMs
  for (;;) {
    const code = await codeNow()
    if (code.length > 0 || Date.now() > giveUpMs) return code
    await sleep(LOOK_EVERY_MS, undefined, signal && { signal })
  }
}

/** A node that is too slow for a reader is one that does not answer. */
function inTime({ batch }: ReadNode): ReadNode {
  return {
    batch: async (calls) => {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      try {
        return await batch(calls, signal)
      } catch (cause) {
        if (!signal.aborted) throw cause
        throw new NodeUnavailable(`the node did not answer within ${ANSWER_WITHIN_MS / 1000} s`, { cause })
      }
    },
  }
}

const KEPT = 1_000
const KEPT_MS = 5_000

/** One question at a time for an address, and its answer, where it is worth keeping, for all who ask shortly after. */
export function keptFor<T>(
  ask: (address: Hex) => Promise<T>,
  isKept: (answer: T) => boolean = () => true,
): (address: Hex) => Promise<T> {
  const kept = createLru<Hex, { readonly answer: Promise<T>; readonly untilMs: number }>(KEPT)
  return (address) => {
    const known = kept.get(address)
    if (known && known.untilMs > Date.now()) return known.answer
    const entry = { answer: ask(address), untilMs: Date.now() + KEPT_MS }
    const forget = (): void => {
      if (kept.get(address) === entry) kept.delete(address)
    }
    kept.set(address, entry)
    entry.answer.then((answer) => {
      if (!isKept(answer)) forget()
    }, forget)
    return entry.answer
  }
}
