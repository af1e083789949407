// Runs the state tests that it receives, one JSON line each, and answers with the failures.
import { parentPort } from 'node:worker_threads'
import { loadPrecompiles } from '../src/evm/precompiles/table.ts'
import { outcomesOf, type RulesFamily, type StateTest } from './state-test-case.ts'

export type Batch = { readonly lines: readonly string[]; readonly family: RulesFamily }
export type BatchReport = { readonly passed: number; readonly failures: readonly { name: string; problem: string }[] }

await loadPrecompiles()

parentPort?.on('message', ({ lines, family }: Batch) => {
  let passed = 0
  const failures: { name: string; problem: string }[] = []
  for (const line of lines) {
    for (const { name, problem } of outcomesOf(JSON.parse(line) as StateTest, family)) {
      if (problem === null) passed++
      else failures.push({ name, problem })
    }
  }
  parentPort?.postMessage({ passed, failures } satisfies BatchReport)
})
