// npm run soak:read-your-writes -- [writes] [transactions a second] [milliseconds added to every node call]
// Sends 10,000 transactions through a Firstlight whose node is 60 ms away, and reads at `pending` what each changed as soon as its receipt
// is there. Every read must contain it.
import { readYourWrites } from '../test/support/read-your-writes.ts'

const [writes = '10000', tps = '50', addedMs = '60'] = process.argv.slice(2)

const { stale, failures, ...figures } = await readYourWrites({
  writes: Number(writes),
  tps: Number(tps),
  addedMs: Number(addedMs),
  report: console.log,
})
console.log(figures)
for (const line of [...stale.slice(0, 10), ...failures.slice(0, 10)]) console.log(line)
console.log(`${stale.length} stale, ${failures.length} failures`)
process.exitCode = stale.length + failures.length > 0 || figures.writes < Number(writes) ? 1 : 0
