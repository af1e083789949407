// npm run soak:devnet -- [minutes] [transactions a second]
// Runs the devnet under load (by default 10 minutes at 200 transactions a second) and reads its feed: how many flashblocks were missed,
// how late they arrived, and whether memory stays bounded.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startDevnetThread } from '../devnet/devnet-thread.ts'
import { createLog } from '../src/lib/log.ts'

const [minutes = '10', tps = '200'] = process.argv.slice(2)
const FLASHBLOCK_MS = 200
const REPORT_MS = 60_000
/** Until the simulated users have set up their contracts. */
const WARM_UP_MS = 15_000
const MAX_MISSED = 0.01

const folder = mkdtempSync(join(tmpdir(), 'firstlight-soak-'))
const devnet = await startDevnetThread(
  {
    port: 0,
    chainId: 1_337_200,
    blockMs: 1000,
    flashblockMs: FLASHBLOCK_MS,
    tps: Number(tps),
    seed: 'soak',
    folder,
    reset: false,
    pace: 'clock',
  },
  {
    log: createLog({ level: 'warn', pretty: false }),
    onDeath: (cause) => {
      throw cause
    },
  },
)
await pause(WARM_UP_MS)

let seen = 0
let transactions = 0
const gaps: number[] = []
let lastMs = 0
const socket = new WebSocket(devnet.feedUrl)
socket.on('message', (frame) => {
  const now = performance.now()
  if (lastMs > 0) gaps.push(now - lastMs)
  lastMs = now
  seen += 1
  transactions += (JSON.parse(String(frame)) as { diff: { transactions: unknown[] } }).diff.transactions.length
})

function megabytes(): number {
  return Math.round(process.memoryUsage().rss / 1e6)
}
const startedMs = performance.now()
const rss: number[] = []
while (performance.now() - startedMs < Number(minutes) * 60_000) {
  await pause(Math.min(REPORT_MS, Number(minutes) * 60_000))
  rss.push(megabytes())
  const elapsedS = (performance.now() - startedMs) / 1000
  console.log(
    `${Math.round(elapsedS)} s: ${seen} flashblocks, ${Math.round(transactions / elapsedS)} transactions a second, ${rss.at(-1)} MB resident`,
  )
}
const expected = Math.floor((performance.now() - startedMs) / FLASHBLOCK_MS)
const missed = Math.max(0, 1 - seen / expected)
const sorted = gaps.toSorted((a, b) => a - b)
function percentile(part: number) {
  return Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)
}
console.log(
  `missed ${(missed * 100).toFixed(2)} % of ${expected} flashblocks; gaps p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1 - 1e-9)} ms`,
)
socket.close()
await devnet.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = missed > MAX_MISSED ? 1 : 0
