// npm run soak:verification -- [kills] [sqlite | postgres | latency ...]
// Kills verifiers and servers of one database with kill -9 at random moments, by default fifty times on each engine: every guid that a
// client received must end in Success or Fail. Then measures API latency while compilers run at full load, against an idle server.
import { runWithKills } from '../test/support/verification/kill-run.ts'
import { latencyUnderBombs } from '../test/support/verification/latency-run.ts'
import { startPostgres } from './postgres.ts'

const MOST_RATIO = 2
const LATENCY_RUNS = 3

const [kills = '50', ...parts] = process.argv.slice(2)
function isAsked(part: string): boolean {
  return parts.length === 0 || parts.includes(part)
}
let isWell = true

if (isAsked('sqlite')) await soak('sqlite', undefined)
if (isAsked('postgres')) {
  const postgres = await startPostgres()
  try {
    await soak('postgres', postgres.url)
  } finally {
    await postgres.stop()
  }
}
if (isAsked('latency')) {
  const ratios: number[] = []
  for (let run = 0; run < LATENCY_RUNS; run++) {
    const latency = await latencyUnderBombs({ rounds: 10, roundSeconds: 3, perSecond: 100 })
    console.log(JSON.stringify(latency))
    ratios.push(latency.ratio)
  }
  const ratio = ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!
  console.log(`p99 of the API under compiler bombs: ${ratio.toFixed(2)} times idle (aim: at most ${MOST_RATIO})`)
  isWell &&= ratio <= MOST_RATIO
}
process.exit(isWell ? 0 : 1)

async function soak(engine: string, databaseUrl: string | undefined): Promise<void> {
  const startedMs = Date.now()
  const report = await runWithKills({ kills: Number(kills), databaseUrl, print: console.log })
  console.log(JSON.stringify({ engine, ...report, tookS: Math.round((Date.now() - startedMs) / 1000) }))
  // A job may fail because its verifier was killed too often; a correct source must not fail for any other reason.
  const isFair = report.unlucky.every((reason) => reason.startsWith('It was begun'))
  isWell &&= report.unfinished.length + report.wrong.length === 0 && isFair
}
