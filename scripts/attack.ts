// npm run attack -- [seconds for each] [part of an attack's name]
// Attacks a Firstlight on loopback with the limits of production, and shows what an honest client beside each attack noticed: its p99 must
// be at most three times that without the attack, nothing of it refused, and memory at most 1.3 times before and back within a minute.
import { attackNames, isHarmless, runAttacks } from '../test/support/attack/run-attacks.ts'

const [seconds = '20', part = ''] = process.argv.slice(2)
const names = attackNames.filter((name) => name.includes(part))
if (names.length === 0) throw new Error(`no attack has “${part}” in its name; there are ${attackNames.join(', ')}`)

const all = await runAttacks({
  names,
  seconds: Number(seconds),
  warmUpS: 60,
  backWithinS: 60,
  report: (figures) => {
    const { attack, alone, attacked, memory, backAfterS } = figures
    const ratio = (attacked.p99Ms / alone.p99Ms).toFixed(1)
    const shown = (megabytes: number) => megabytes.toFixed(0)
    console.log(
      `${isHarmless(figures) ? 'held  ' : 'FAILED'} ${attack.padEnd(34)} p99 ${alone.p99Ms.toFixed(0)} → ${attacked.p99Ms.toFixed(0)} ms (${ratio} times), ` +
        `${attacked.refused.length} of ${attacked.requests} refused, memory ${shown(memory.before)} → ${shown(memory.most)} → ${shown(memory.after)} MB` +
        (backAfterS === null ? ', not back within a minute' : `, back after ${backAfterS.toFixed(0)} s`),
    )
    for (const line of attacked.refused.slice(0, 3)) console.log(`         ${line}`)
  },
})
const held = all.filter(isHarmless).length
console.log(`${held} of ${all.length} attacks held`)
process.exitCode = held === all.length ? 0 : 1
