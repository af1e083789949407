// npm run soak:pending -- [minutes] [transactions a second]
// A Flashblocks RPC node for 40 minutes at 50 transactions a second, with a feed that breaks off every minute and a node that restarts every
// ten: whatever it says of pending blocks must be what is sealed, its memory must not grow, and nothing may go wrong unseen.
import { soakPending } from '../test/support/pending-soak.ts'

const [minutes = '40', tps = '50'] = process.argv.slice(2)
/** Garbage is collected when it pays, so a part of what is resident comes and goes. */
const MAX_GROWTH = 1.25

const { divergences, errors, refusals, ...figures } = await soakPending({
  minutes: Number(minutes),
  tps: Number(tps),
  reconnectEveryMs: 60_000,
  restartEveryMs: 600_000,
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
