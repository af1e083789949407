// Reads the current code and implementation of contracts from the node, through caches of a few seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { bytesToHex, type Hex, hexToBytes } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { NodeUnavailable } from '../../upstream/node/failures.ts'
import { RpcRefusal } from '../../upstream/node/json-rpc.ts'
import type { ReadNode } from './node-state.ts'
import { type ResolvedProxy, resolveProxy } from './resolve-proxy.ts'

const NODE_TIMEOUT_MS = 8_000
const CODE_POLL_MS = 250

export type CurrentCode = { readonly code: Uint8Array; readonly codeHash: Hex }

export type ContractReader = {
  /** No bytes for an account without code. */
  codeAt: (address: Hex) => Promise<CurrentCode>
  proxyAt: (address: Hex) => Promise<ResolvedProxy | undefined>
}

/** Answers about addresses. An answer may be old by the ttl, since upgrades and self-destructs change it without notice. */
export type AddressCache<T> = LRUCache<Hex, Promise<T>>

const CACHED_ADDRESSES = 1_000
const CACHED_MS = 5_000

export function createAddressCache<T>(): AddressCache<T> {
  return new LRUCache({ max: CACHED_ADDRESSES, ttl: CACHED_MS })
}

/** Concurrent calls for one address share one answer. A failure is not cached, nor an answer that is not `isCacheable`. */
export function cachedByAddress<T>(
  cache: AddressCache<T>,
  ask: (address: Hex) => Promise<T>,
  isCacheable: (answer: T) => boolean = () => true,
): (address: Hex) => Promise<T> {
  return (address) => {
    const cached = cache.get(address)
    if (cached) return cached
    const answer = ask(address)
    const remove = (): void => {
      if (cache.peek(address) === answer) cache.delete(address)
    }
    cache.set(address, answer)
    answer.then((value) => {
      if (!isCacheable(value)) remove()
    }, remove)
    return answer
  }
}

export type ContractCaches = {
  readonly code: AddressCache<CurrentCode>
  readonly proxies: AddressCache<ResolvedProxy | undefined>
}

export function createContractCaches(): ContractCaches {
  return { code: createAddressCache(), proxies: createAddressCache() }
}

export function createContractReader(source: ReadNode, caches: ContractCaches): ContractReader {
  const node = withTimeout(source)
  const readCode = async (address: Hex): Promise<CurrentCode> => {
    const call = { method: 'eth_getCode', params: [address, 'latest'] }
    const [answer] = await node.batch([call])
    if (answer?.type !== 'result') throw new RpcRefusal('eth_getCode', answer!)
    const code = hexToBytes(answer.result as string)
    return { code, codeHash: bytesToHex(keccak256(code)) }
  }
  // An address without code may have some with the next block, and tools ask as soon as they have sent the creation.
  const codeAt = cachedByAddress(caches.code, readCode, ({ code }) => code.length > 0)
  const proxyAt = cachedByAddress(caches.proxies, async (address) => {
    const { code } = await codeAt(address)
    return resolveProxy(node, { address, code })
  })
  return { codeAt, proxyAt }
}

/** The node has the code of a preconfirmed contract with the next block: polls until then, or until the timeout. */
export async function waitForCode(
  readCode: () => Promise<Uint8Array>,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Uint8Array> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const code = await readCode()
    if (code.length > 0 || performance.now() > deadlineMs) return code
    await sleep(CODE_POLL_MS, undefined, signal && { signal })
  }
}

/** A reader does not wait longer: a slow node counts as one that is away. */
function withTimeout({ batch }: ReadNode): ReadNode {
  return {
    batch: async (calls) => {
      const signal = AbortSignal.timeout(NODE_TIMEOUT_MS)
      try {
        return await batch(calls, signal)
      } catch (cause) {
        if (!signal.aborted) throw cause
        throw new NodeUnavailable(`the node did not answer within ${NODE_TIMEOUT_MS / 1000} s`, { cause })
      }
    },
  }
}
