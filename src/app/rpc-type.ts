// E21: Flashblocks need reth. What the node says of itself is checked before anything stands on it.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../lib/config/config.ts'
import type { Log } from '../lib/log.ts'
import { withoutCredentials } from '../lib/log.ts'
import { askNode } from './node-probe.ts'
import type { Config } from './options.ts'

/** Refuses settings that no node could make good. */
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

/** What is wrong with a client version; null where nothing is. */
export function whyNotReth(clientVersion: string): string | null {
  return /reth/i.test(clientVersion) || /^firstlight-devnet\b/i.test(clientVersion)
    ? null
    : `RPC_TYPE is reth, but the node says that it is ${JSON.stringify(clientVersion)}`
}

/** A node that does not answer yet may be starting too: it is waited for a while, then taken on trust. */
export async function refuseOtherClients(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  if (!config.FLASHBLOCKS_ENABLED || config.RPC_TYPE_CHECK === 'off') return
  for (const url of config.RPC_URL ?? []) {
    const clientVersion = await clientVersionOf(url, signal)
    if (clientVersion === null) {
      log.warn(
        { node: withoutCredentials(url) },
        'the node does not say which client it is; going on without the check',
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
