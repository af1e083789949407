// npm run state-tests [-- FILE ...] [--op] [--every N] [--filter text]
// Runs files of Ethereum state tests, one JSON line a test and possibly gzipped, in two workers. `--op` runs those of Prague and Osaka
// by the OP Stack's rules, `--every N` only each Nth test. Without a file it runs all recorded ones, those of Osaka by both rules. Prints
// every failing case and closes with `N passed, N failed`; the exit code is 1 if any failed.
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { RulesFamily, StateTest } from './state-test-case.ts'
import type { Batch, BatchReport } from './state-test-worker.ts'

const WORKERS = 2
const BATCH_LINES = 8
const RECORDED = fileURLToPath(new URL('../../shared/fixtures/state-tests/', import.meta.url))

type Run = { readonly file: string; readonly family: RulesFamily }
type Count = { readonly passed: number; readonly failed: number }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { filter: { type: 'string' }, op: { type: 'boolean' }, every: { type: 'string', default: '1' } },
})
const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) {
  console.error(`--every takes a whole number from 1 on, not ${values.every}`)
  process.exit(2)
}
const runs = positionals.length === 0 ? recordedRuns() : positionals.map((file) => runOf(file))
const counts: Count[] = []
for (const run of runs) {
  const count = await countOf(run)
  counts.push(count)
  if (runs.length > 1) console.log(`${titleOf(run)}: ${textOf(count)}`)
}
const total = sumOf(counts)
console.log(textOf(total))
process.exitCode = total.failed === 0 ? 0 : 1

function runOf(file: string): Run {
  return { file, family: values.op ? 'op-stack' : 'ethereum' }
}

function recordedRuns(): Run[] {
  if (!existsSync(RECORDED)) {
    console.error(`there are no recorded state tests in ${RECORDED}: name a file`)
    process.exit(2)
  }
  const osaka = `${RECORDED}osaka-prague.jsonl.gz`
  return [
    { file: `${RECORDED}general-state-tests.jsonl.gz`, family: 'ethereum' },
    { file: `${RECORDED}old-forks.jsonl.gz`, family: 'ethereum' },
    { file: osaka, family: 'ethereum' },
    { file: osaka, family: 'op-stack' },
  ]
}

function titleOf({ file, family }: Run): string {
  return `${basename(file)}${family === 'op-stack' ? ' by the rules of the OP Stack' : ''}`
}

function textOf({ passed, failed }: Count): string {
  return `${passed} passed, ${failed} failed`
}

function sumOf(counts: readonly Count[]): Count {
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}

async function countOf({ file, family }: Run): Promise<Count> {
  const lines = linesOf(file)
    .filter((_, index) => index % every === 0)
    .filter((line) => values.filter === undefined || nameOf(line).includes(values.filter))
  const batches = inBatches(lines).map((lines) => ({ lines, family }))
  return sumOf(await Promise.all(Array.from({ length: WORKERS }, () => work(batches))))
}

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
async function work(queue: Batch[]): Promise<Count> {
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

function reportOf(worker: Worker, batch: Batch): Promise<BatchReport> {
  return new Promise((resolve, reject) => {
    worker.once('message', (report: BatchReport) => {
      worker.off('error', reject)
      resolve(report)
    })
    worker.once('error', reject)
    worker.postMessage(batch)
  })
}
