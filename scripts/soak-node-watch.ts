// npm run soak:node-watch
// Kills, hangs, replaces and freezes the node of a Firstlight with default settings, and prints after how many seconds /ready, the metric,
// the alert rule and an open page say so, and after how many they are well again. The exit code is 1 if one of them takes over ten seconds
// to notice.
import { watchTimes } from '../test/support/node-watch.ts'
import { chromiumProgram, exitWhenMissing } from './prerequisites.ts'

const MOST_SECONDS = 10

const chromium = await chromiumProgram().catch(exitWhenMissing)
for await (const { problem, noticed, recovered } of watchTimes(chromium)) {
  console.log(`${problem}:\n  noticed after ${textOf(noticed)}`)
  if (recovered !== undefined) console.log(`  well again after ${textOf(recovered)}`)
  if (Object.values(noticed).some((seconds) => seconds > MOST_SECONDS)) process.exitCode = 1
}

function textOf(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
    .join(', ')
}
