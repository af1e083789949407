// Format, lint, types, dead code. All run at once; only what complains is printed.
import { capture } from './run.ts'

const checks: Record<string, readonly string[]> = {
  'format and lint': ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '--noEmit', '-p', '.'],
  'dead code': ['knip', '--no-progress'],
}

const results = await Promise.all(
  Object.entries(checks).map(async ([name, [program, ...args]]) => ({ name, ...(await capture(program!, args)) })),
)
for (const { name, code, output } of results) {
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}`)
  if (code !== 0) console.log(output)
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
