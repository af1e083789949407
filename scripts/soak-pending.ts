// npm run soak:pending -- [minutes] [transactions a second]
// Runs a Flashblocks RPC node for 40 minutes at 50 transactions a second, with a feed that disconnects every minute and a node that restarts
// every ten minutes: its pending blocks must be equal to the sealed ones, its memory must not grow, and no error may go unreported.
import { soakPending } from '../test/support/pending-soak.ts'

const [minutes = '40', tps = '50'] = process.argv.slice(2)
/** Resident memory goes up and down with garbage collection. */
const MAX_GROWTH = 1.25

const { divergences, errors, refusals, ...figures } = await soakPending({
  minutes: Number(minutes),
  tps: Number(tps),
  reconnectEveryMs: 60_000,
  restartEveryMs: 600_000,
  pauseAfterRestartMs: 15_000,
  memoryEveryMs: 5_000,
  report: console.log,
})
console.log(figures)
for (const line of [...divergences.slice(0, 5), ...errors.slice(0, 5), ...refusals.slice(0, 5)]) console.log(line)
console.log(
  `${divergences.length} divergences, ${errors.length} errors, ${refusals.length} refusals, memory ${figures.middleMb} MB after a quarter, ${figures.endMb} MB at the end`,
)
const hasGrown = figures.endMb > figures.middleMb * MAX_GROWTH
process.exitCode =
  divergences.length + errors.length + refusals.length > 0 || hasGrown || figures.compared === 0 ? 1 : 0
