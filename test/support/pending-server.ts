// A whole Firstlight process that follows a given node and feed, with helpers to read its status and metrics.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingStatus } from '../../src/rpc/server/status.ts'
import { startTestServer, type TestServer } from './server.ts'

export type PendingServer = TestServer & {
  status: () => Promise<ServerStatus>
  /** The value of a metric without labels. */
  metric: (name: string) => Promise<number>
  /** The first status that meets the condition; fails after `ms` with the last one. */
  until: (isSo: (status: ServerStatus) => boolean, ms?: number) => Promise<ServerStatus>
}

export type ServerStatus = {
  heights: { preconfirmed: number | null; latest: number | null }
  lags: { feedAgeMs: number | null }
  /** Null until the pending chain has started. */
  preconfirmations: PendingStatus & { subscribers: number }
}

export async function startPendingServer(
  { nodeUrl, feedUrl }: { nodeUrl: string; feedUrl: string },
  environment: Record<string, string> = {},
): Promise<PendingServer> {
  const server = await startTestServer({
    RPC_URL: nodeUrl,
    FLASHBLOCKS_ENABLED: 'true',
    FLASHBLOCKS_URL: feedUrl,
    ROLES: 'rpc,relay',
    ...environment,
  })
  const status = async () => (await (await fetch(`${server.url}/status`)).json()) as ServerStatus
  return {
    ...server,
    status,
    metric: async (name) => {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
    until: async (isSo, ms = 60_000) => {
      const deadline = Date.now() + ms
      for (;;) {
        const now = await status()
        if (now.preconfirmations !== null && isSo(now)) return now
        if (Date.now() > deadline) throw new Error(`not so after ${ms} ms: ${JSON.stringify(now, null, 1)}`)
        await sleep(20)
      }
    },
  }
}
