// A look at a node from the outside: one call, its clock, and whether its client can be used with Flashblocks.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../lib/config/config.ts'
import { type Log, withoutCredentials } from '../lib/log.ts'
import { createHttpTransport } from '../upstream/node/http-transport.ts'
import { type RpcCall, RpcRefusal, requestText } from '../upstream/node/json-rpc.ts'
import { probeProfile, profileText } from '../upstream/node/profile.ts'
import { createSocketTransport } from '../upstream/node/rpc-socket.ts'
import type { Config } from './options.ts'

const LIMITS = { timeoutMs: 5_000, maxBytes: 10_000_000 }

/** The result of one JSON-RPC call. An error names the node and says what is wrong with its answer. */
export async function askNode(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const transport = isSocket(url) ? createSocketTransport(url, LIMITS) : createHttpTransport(url, LIMITS)
  try {
    const [answer] = await transport.exchange([{ method, params }], AbortSignal.timeout(LIMITS.timeoutMs))
    if (answer!.type === 'refused') throw new RpcRefusal(method, answer!)
    return answer!.result
  } catch (cause) {
    throw new Error(withoutCredentials(`${url}: ${(cause as Error).message}`), { cause })
  } finally {
    transport.close()
  }
}

/** The node's clock by the Date header of an answer, in whole seconds; undefined where it sends none or does not answer. */
export async function nodeTimeMs(url: string): Promise<number | undefined> {
  if (isSocket(url)) return undefined
  // Without the login, which `fetch` refuses: a node that asks for it says its time all the same.
  const { origin, pathname, search } = new URL(url)
  const answer = await fetch(`${origin}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: requestText([{ method: 'eth_chainId', params: [] }], 0),
    signal: AbortSignal.timeout(LIMITS.timeoutMs),
  }).catch(() => undefined)
  return Date.parse(answer?.headers.get('date') ?? '') || undefined
}

/** What the node can do, in one line; undefined where it does not answer in time. */
export async function nodeAbilities(url: string): Promise<string | undefined> {
  const transport = isSocket(url) ? createSocketTransport(url, LIMITS) : createHttpTransport(url, LIMITS)
  const signal = AbortSignal.timeout(ABILITIES_TIMEOUT_MS)
  // Not every node knows batches.
  const ask = async (calls: readonly RpcCall[]) =>
    (await Promise.all(calls.map((call) => transport.exchange([call], signal)))).flat()
  try {
    return profileText(await probeProfile(ask, { wantsTraces: true }))
  } catch {
    return undefined
  } finally {
    transport.close()
  }
}

const ABILITIES_TIMEOUT_MS = 2_000

function isSocket(url: string): boolean {
  return url.startsWith('ws')
}

/** Refuses Flashblocks settings that cannot work with any node. */
export function refuseUnusableFeed(config: Config): void {
  if (!config.FLASHBLOCKS_ENABLED) return
  if (config.FLASHBLOCKS_URL === undefined || config.FLASHBLOCKS_URL.length === 0) {
    throw new ConfigError(
      'FLASHBLOCKS_ENABLED is true, but FLASHBLOCKS_URL is not set: give the WebSocket address of a Flashblocks feed (wss://.../flashblocks), or set FLASHBLOCKS_ENABLED=false',
    )
  }
  if (config.RPC_TYPE_CHECK === 'on' && config.RPC_TYPE !== 'reth') {
    throw new ConfigError(
      `FLASHBLOCKS_ENABLED is true, but RPC_TYPE is ${config.RPC_TYPE}: Flashblocks need reth. Run reth and set RPC_TYPE=reth, or set FLASHBLOCKS_ENABLED=false (RPC_TYPE_CHECK=off if you know better)`,
    )
  }
}

/** Why a client cannot be used with Flashblocks; null for reth and for the devnet. */
export function whyNotReth(clientVersion: string): string | null {
  return /reth/i.test(clientVersion) || /^firstlight-devnet\b/i.test(clientVersion)
    ? null
    : `RPC_TYPE is reth, but the node says that it is ${JSON.stringify(clientVersion)}`
}

/** Refuses a node that is not reth. A node that does not answer may be starting too: after some attempts it is used unchecked. */
export async function refuseOtherClients(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  if (!config.FLASHBLOCKS_ENABLED || config.RPC_TYPE_CHECK === 'off') return
  for (const url of config.RPC_URL ?? []) {
    const clientVersion = await clientVersionOf(url, signal)
    if (clientVersion === null) {
      log.warn(
        { node: withoutCredentials(url) },
        'the node does not answer web3_clientVersion: whether it is reth was not checked',
      )
      continue
    }
    const reason = whyNotReth(clientVersion)
    if (reason !== null) {
      throw new ConfigError(
        `${reason} (${withoutCredentials(url)}): Flashblocks need reth. Point RPC_URL at a reth node, or set FLASHBLOCKS_ENABLED=false (RPC_TYPE_CHECK=off if you know better)`,
      )
    }
  }
}

const ATTEMPTS = 10
const PAUSE_MS = 1_000

async function clientVersionOf(url: string, signal: AbortSignal): Promise<string | null> {
  for (let attempts = 0; attempts < ATTEMPTS && !signal.aborted; attempts++) {
    try {
      return String(await askNode(url, 'web3_clientVersion'))
    } catch {
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return null
}
