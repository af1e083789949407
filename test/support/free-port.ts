import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range that systems hand out to outgoing connections, so that none of those takes it in between. */
const LOWEST = 20_000
const HIGHEST = 32_000
/** Files that are tested at once draw from shares of their own, and none draws a port twice: it may not be in use yet. */
const SHARES = 8
const SHARE = (HIGHEST - LOWEST) / SHARES
const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES
let drawn = randomInt(SHARE)

export async function freePort(): Promise<string> {
  for (;;) {
    drawn = (drawn + 1) % SHARE
    const port = LOWEST + share * SHARE + drawn
    if (await isFree(port)) return String(port)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
