// npm run state-tests -- FILE [--filter text]
// Runs a file of Ethereum state tests, one JSON line a test and possibly gzipped, in two workers. Prints every failing case and closes
// with `N passed, N failed`; the exit code is 1 if any failed.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { StateTest } from './state-test-case.ts'
import type { BatchReport } from './state-test-worker.ts'

const WORKERS = 2
const BATCH_LINES = 8

const { positionals, values } = parseArgs({ allowPositionals: true, options: { filter: { type: 'string' } } })
const [file] = positionals
if (file === undefined) {
  console.error('usage: npm run state-tests -- FILE [--filter text]')
  process.exit(2)
}

const batches = inBatches(
  linesOf(file).filter((line) => values.filter === undefined || nameOf(line).includes(values.filter)),
)
const totals = await Promise.all(Array.from({ length: WORKERS }, () => work(batches)))
const passed = totals.reduce((sum, each) => sum + each.passed, 0)
const failed = totals.reduce((sum, each) => sum + each.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function linesOf(path: string): string[] {
  const bytes = readFileSync(path)
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}

function nameOf(line: string): string {
  const { file, name } = JSON.parse(line) as StateTest
  return `${file} ${name}`
}

function inBatches(lines: readonly string[]): string[][] {
  const batches: string[][] = []
  for (let at = 0; at < lines.length; at += BATCH_LINES) batches.push(lines.slice(at, at + BATCH_LINES))
  return batches
}

/** One worker takes batch after batch from the shared list until it is empty. */
async function work(queue: string[][]): Promise<{ passed: number; failed: number }> {
  const worker = new Worker(new URL('./state-test-worker.ts', import.meta.url))
  const total = { passed: 0, failed: 0 }
  for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) {
    const report = await reportOf(worker, batch)
    for (const { name, problem } of report.failures) console.log(`FAIL ${name}: ${problem}`)
    total.passed += report.passed
    total.failed += report.failures.length
  }
  await worker.terminate()
  return total
}

function reportOf(worker: Worker, batch: string[]): Promise<BatchReport> {
  return new Promise((resolve, reject) => {
    worker.once('message', (report: BatchReport) => {
      worker.off('error', reject)
      resolve(report)
    })
    worker.once('error', reject)
    worker.postMessage(batch)
  })
}
