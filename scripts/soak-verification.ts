// Verifiers and servers killed at random moments, fifty times or as often as the argument says: every guid that was given out must
// end in Success or Fail. Then what others wait while compilers are at their worst, against an idle server. With DATABASE_URL set the
// processes share PostgreSQL, otherwise a SQLite file.
import { runWithKills } from '../test/support/verification/kill-run.ts'
import { latencyUnderBombs } from '../test/support/verification/latency-run.ts'

const MOST_RATIO = 2

const kills = Number(process.argv[2] ?? 50)
const startedMs = Date.now()
const report = await runWithKills({ kills, databaseUrl: process.env.DATABASE_URL, print: console.log })
console.log(JSON.stringify({ ...report, tookS: Math.round((Date.now() - startedMs) / 1000) }))
const latency = await latencyUnderBombs({ seconds: 20, perSecond: 50 })
console.log(JSON.stringify(latency))
// A job may meet death too often; for any other reason a right source must not fail.
const isFair = report.unlucky.every((reason) => reason.startsWith('It was begun'))
const isWell = report.unfinished.length + report.wrong.length === 0 && isFair && latency.ratio <= MOST_RATIO
process.exit(isWell ? 0 : 1)
