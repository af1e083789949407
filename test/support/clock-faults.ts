// The whole product while the clock of its machine is set an hour forward and an hour back: /ready warns, nothing that measures durations is
// fooled (node watch, staleness of the feed, rate limits, leases), signed requests are judged by the clock, and the index goes on.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeClock } from './fake-clock.ts'
import { NOTICED_WITHIN_MS, RECOVERED_WITHIN_MS, wordsOf } from './fault-run.ts'
import { freePort } from './free-port.ts'
import { msUntil, type Ready, type ServerUnderFaults } from './server-under-faults.ts'
import { startProductChain, startVisitors } from './whole-product.ts'

const HOUR_S = 3_600
/** How long the clock stays set. */
const STAY_MS = 12_000
const VISIT_EVERY_MS = 100
/** Twice of what the visitors need: a bucket that is not refilled any more is empty after a few seconds. */
const RATE = '20'

export async function setClockOfProduct(options: {
  readonly engine: string
  readonly folder: string
  readonly databaseUrl: string | undefined
}): Promise<void> {
  const { engine, folder, databaseUrl } = options
  const clock = createFakeClock(folder)
  if (clock === undefined) return
  const chain = await startProductChain(folder)
  const dataDir = join(folder, 'data')
  const server = await chain.start({
    ...clock.environment,
    PORT: await freePort(),
    DATA_DIR: dataDir,
    RATE_LIMIT_IP: RATE,
    RATE_LIMIT_IP_BURST: RATE,
    NODE_STALE_MS: '0',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  const visitors = startVisitors(server.url, VISIT_EVERY_MS)
  try {
    await msUntil('ready', async () => (await server.ready())?.ready === true, RECOVERED_WITHIN_MS)
    for (const seconds of [HOUR_S, -HOUR_S]) {
      const { answered, refused } = visitors.counts
      // What a busy machine is not ready for anyway.
      const usual = await reasonsDuring(server, STAY_MS)
      clock.set(seconds)
      const noticed = await untilWarned(server)
      const reasons = (await reasonsDuring(server, STAY_MS)).filter((reason) => !usual.includes(reason))
      clock.set(0)
      const overMs = await msUntil(
        'the warning is over',
        async () => !isWarned(await server.ready()),
        RECOVERED_WITHIN_MS,
      )
      const visits = `${visitors.counts.answered - answered} visits answered, ${visitors.counts.refused - refused} refused`
      console.log(
        `clock set by ${seconds} s, ${engine}: noticed after ${noticed.ms} ms (${noticed.words}), over after ${overMs} ms; ` +
          `${visits}; newly not ready because of: ${reasons.length === 0 ? 'nothing' : reasons.join(', ')}`,
      )
      if (reasons.length > 0 || visitors.counts.refused > refused) process.exitCode = 1
    }
    await visitors.stop()
    const { height } = await chain.stand()
    await msUntil('the head is indexed', async () => (await server.indexed()) === height, RECOVERED_WITHIN_MS)
    await server.stop()
    const different = await chain.differences({ url: databaseUrl, dataDir })
    console.log(
      `clock, ${engine}: ${height} blocks, ${different.length === 0 ? 'the index is equal to a fresh one' : `DIFFERENT: ${different.join(', ')}`}`,
    )
    if (different.length > 0) process.exitCode = 1
  } finally {
    await server.kill()
    await visitors.stop()
    await chain.stop()
  }
}

function isWarned(ready: Ready | undefined): boolean {
  return ready?.warnings.some((warning) => warning.includes('the clock of this machine')) ?? false
}

async function untilWarned(server: ServerUnderFaults): Promise<{ ms: number; words: string }> {
  let words = ''
  const ms = await msUntil(
    'clock set: noticed',
    async () => {
      const ready = await server.ready()
      if (ready !== undefined) words = wordsOf(ready)
      return isWarned(ready)
    },
    NOTICED_WITHIN_MS,
  )
  return { ms, words }
}

/** Everything that /ready names as a reason meanwhile. */
async function reasonsDuring(server: ServerUnderFaults, ms: number): Promise<string[]> {
  const seen = new Set<string>()
  for (const endMs = performance.now() + ms; performance.now() < endMs; await pause(250)) {
    for (const reason of (await server.ready())?.reasons ?? ['no answer']) seen.add(reason.replace(/\d+/g, 'N'))
  }
  return [...seen]
}
