// npm run check: format, lint, types, dead code, architecture, words. All run at once; only what fails is printed.
import { capture } from './run.ts'

const checks: Record<string, readonly string[]> = {
  'format and lint': ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '--noEmit', '-p', '.'],
  'dead code': ['knip', '--no-progress'],
  'folder table, import cycles, glossary': ['vitest', 'run', 'test/project/architecture', 'test/project/glossary'],
  spelling: [
    'cspell',
    '--no-progress',
    '--no-summary',
    '--quiet',
    '--cache',
    '--cache-location',
    'node_modules/.cache/cspell',
    '.',
  ],
}

const results = await Promise.all(
  Object.entries(checks).map(async ([name, [program, ...args]]) => ({ name, ...(await capture(program!, args)) })),
)
for (const { name, code, output } of results) {
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}`)
  if (code !== 0) console.log(output)
}
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
