// Preconfirmations as a part of a server: the pending thread, its JSON-RPC, and the hub that fans its feed out.
import { readFileSync } from 'node:fs'
import type { ForkSchedule } from '../chain/rules/forks.ts'
import { type GenesisConfig, scheduleFromGenesis } from '../chain/rules/genesis-config.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { LedgerEvent } from '../preconfirmations/ledger.ts'
import { createHub, type Hub } from '../relay/hub.ts'
import type { RpcChannel } from '../rpc/server/channel.ts'
import { startInlineChannel } from '../rpc/server/inline-channel.ts'
import type { PendingStatus } from '../rpc/server/status.ts'
import { startWorkerChannel } from '../rpc/server/worker-channel.ts'
import type { Config } from './options.ts'
import { addPendingMetrics } from './pending-metrics.ts'
import type { Running } from './run-until-signal.ts'

export type PendingPart = {
  readonly rpc: RpcChannel
  readonly hub: Hub
  status(): PendingStatus | null
}

export async function startPendingPart(
  config: Config,
  metrics: Metrics,
  { log, lifecycle, fail }: Running,
  onLedgerEvents: (events: readonly LedgerEvent[]) => void,
): Promise<PendingPart> {
  const hub = createHub()
  const { onProcessed } = addPendingMetrics(metrics, () => rpc?.status() ?? null)
  const schedule = config.GENESIS === undefined ? null : scheduleIn(config.GENESIS)
  const startRpc = servesRpcAlone(config) ? startInlineChannel : startWorkerChannel
  let rpc: RpcChannel | undefined
  await lifecycle.start({
    name: 'pending chain',
    start: () => {
      rpc = startRpc(
        {
          nodeUrls: config.RPC_URL!,
          feedUrls: config.FLASHBLOCKS_ENABLED ? (config.FLASHBLOCKS_URL ?? null) : null,
          staleMs: config.FLASHBLOCKS_STALE_MS === 0 ? null : config.FLASHBLOCKS_STALE_MS,
          latest: config.FLASHBLOCKS_LATEST,
          schedule,
          gasCap: BigInt(config.RPC_GAS_CAP),
          callTimeoutMs: config.RPC_CALL_TIMEOUT_MS,
        },
        { log, onFlashblock: (flashblock) => hub.publish(flashblock), onProcessed, onLedgerEvents, onDeath: fail },
      )
    },
    stop: () => rpc?.stop(),
  })
  return { rpc: rpc!, hub, status: rpc!.status }
}

/** Beside anything else it has a thread of its own, so that neither keeps the other waiting. */
function servesRpcAlone({ ROLES }: Config): boolean {
  return ROLES.join() === 'rpc'
}

/** A genesis file that tells accounts but no forks leaves the forks to the blocks. */
function scheduleIn(file: string): ForkSchedule | null {
  try {
    const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config?: GenesisConfig }
    return config === undefined ? null : scheduleFromGenesis(config)
  } catch (cause) {
    throw new ConfigError(`GENESIS: ${file} cannot be read as a genesis file: ${(cause as Error).message}`, { cause })
  }
}
