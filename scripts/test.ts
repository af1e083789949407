// `npm test`: the checks, every test on SQLite and on a PostgreSQL of its own and in a real browser, all recorded state
// tests, and a last line that says how many passed. Arguments go to vitest: `npm test -- auth` runs what has auth in its
// path, and only that.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWebIfStale } from '../src/app/web-build.ts'
import { startPostgres } from './postgres.ts'
import { chromiumProgram, completeInstall } from './prerequisites.ts'
import { capture, run } from './run.ts'

type Count = { passed: number; failed: number }

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

async function checks(): Promise<Count> {
  const code = await run('node', [script('./check.ts')])
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function unitAndFlowTests(filters: readonly string[]): Promise<Count> {
  await completeInstall()
  await buildWebIfStale()
  const chromium = await chromiumProgram()
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-test-'))
  // A PostgreSQL that a test starts runs as another user.
  chmodSync(folder, 0o711)
  const report = join(folder, 'report.json')
  try {
    const code = await run(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters],
      {
        // Files that tests leave behind are deleted with the folder.
        env: { ...process.env, TMPDIR: folder, TEST_DATABASE_URL: postgres.url, TEST_CHROMIUM: chromium },
      },
    )
    const { numPassedTests: passed, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >
    // A file that cannot be loaded has no failed test, and neither has an error outside of any test: both count as failed.
    return { passed: passed!, failed: code === 0 ? 0 : Math.max(1, numFailedTests!) }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function stateTests(): Promise<Count> {
  if (!existsSync(script('../../shared/fixtures/state-tests/'))) {
    console.log('state tests are skipped: there is no ../shared folder')
    return { passed: 0, failed: 0 }
  }
  console.log('state tests ...')
  const { code, output } = await capture('node', [script('./state-tests.ts')])
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  if (code !== 0 || failed !== '0') console.log(output)
  return { passed: Number(passed ?? 0), failed: code === 0 ? 0 : Math.max(1, Number(failed ?? 1)) }
}

const filters = process.argv.slice(2)
const counts =
  filters.length > 0
    ? [await unitAndFlowTests(filters)]
    : [await checks(), await unitAndFlowTests([]), await stateTests()]
function total(name: keyof Count): number {
  return counts.reduce((sum, count) => sum + count[name], 0)
}
console.log(`${total('passed')} passed, ${total('failed')} failed`)
process.exitCode = total('failed') > 0 ? 1 : 0
