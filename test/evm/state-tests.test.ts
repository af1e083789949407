// The runner of Ethereum's state tests, on a few of the recorded ones; `npm run state-tests` runs all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'

const RECORDED = new URL('../../../shared/fixtures/state-tests/general-state-tests.jsonl.gz', import.meta.url)
const SCRIPT = fileURLToPath(new URL('../../scripts/state-tests.ts', import.meta.url))
const LINES = 20

const isThere = existsSync(RECORDED)
if (!isThere) console.log('no recorded state tests beside the repository: the runner is not tested')

const folder = mkdtempSync(join(tmpdir(), 'state-tests-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(lines: readonly string[], ...args: readonly string[]) {
  const file = join(folder, 'tests.jsonl')
  writeFileSync(file, lines.join('\n'))
  return runScript(file, ...args)
}

function runScript(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' })
  return { status, lines: stdout.trim().split('\n') }
}

describe.runIf(isThere)('the state test runner', () => {
  const lines = isThere ? gunzipSync(readFileSync(RECORDED)).toString('utf8').split('\n', LINES) : []

  test('the state test runner passes recorded tests and closes with the count', () => {
    const outcome = run(lines)
    expect(outcome).toMatchObject({ status: 0, lines: [expect.stringMatching(/^[1-9]\d* passed, 0 failed$/)] })
  })

  test('the state test runner names a test whose root does not come out, and fails', () => {
    const wrong = lines[0]!.replace(/"hash":"0x[0-9a-f]{2}/, '"hash":"0x00')
    const { name } = JSON.parse(wrong)
    const outcome = run([wrong])
    expect(outcome.status).toBe(1)
    expect(outcome.lines[0]).toContain(`FAIL`)
    expect(outcome.lines[0]).toContain(name)
    expect(outcome.lines.at(-1)).toMatch(/ passed, 1 failed$/)
  })

  test('the state test runner runs all recorded files, those of Osaka by the rules of the OP Stack too', () => {
    const { status, lines } = runScript('--every', '100')
    expect(lines).toEqual([
      expect.stringMatching(/^general-state-tests\S+: [1-9]\d* passed, 0 failed$/),
      expect.stringMatching(/^old-forks\S+: [1-9]\d* passed, 0 failed$/),
      expect.stringMatching(/^osaka-prague\S+: [1-9]\d* passed, 0 failed$/),
      expect.stringMatching(/^osaka-prague\S+ by the rules of the OP Stack: [1-9]\d* passed, 0 failed$/),
      expect.stringMatching(/^[1-9]\d* passed, 0 failed$/),
    ])
    expect(status).toBe(0)
  })

  test('the state test runner runs only what the filter lets through', () => {
    expect(run(lines, '--filter', 'no test is called this').lines).toEqual(['0 passed, 0 failed'])
  })
})
