// `npm test`: the checks, every test on SQLite and on a PostgreSQL of its own, in a real browser, and a last line that
// says how many passed. Arguments go to vitest, so `npm test -- auth` runs what has auth in its path.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWebIfStale } from '../src/commands/web-build.ts'
import { startPostgres } from './postgres.ts'
import { chromiumProgram } from './prerequisites.ts'
import { run } from './run.ts'

const filters = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'firstlight-test-'))
const report = join(folder, 'report.json')

type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number; success: boolean }

const passed: number[] = []
const failed: number[] = []
const count = (ok: boolean): void => void (ok ? passed : failed).push(1)

if (filters.length === 0) count((await run('node', [fileURLToPath(new URL('./check.ts', import.meta.url))])) === 0)

await buildWebIfStale()
const chromium = await chromiumProgram()
const postgres = await startPostgres()
try {
  const environment = { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_CHROMIUM: chromium }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', ...reporters, ...filters], { env: environment })
  const summary = JSON.parse(readFileSync(report, 'utf8')) as Report
  passed.push(summary.numPassedTests)
  failed.push(summary.numFailedTests)
  // A file that cannot be loaded has no failed test, yet it failed; so has an error outside of any test.
  if (code !== 0 && summary.numFailedTests === 0) count(false)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0)
console.log(`${sum(passed)} passed, ${sum(failed)} failed`)
process.exitCode = sum(failed) > 0 ? 1 : 0
