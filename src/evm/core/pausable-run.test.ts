import { expect, test } from 'vitest'
import { ExecutionTimeout, type PausableRun, runInTimeSlices, runToEnd } from './pausable-run.ts'

function* runWithPauses(pauses: number): PausableRun<string> {
  for (let i = 0; i < pauses; i++) yield
  return 'done'
}

const noTimeLimit = { timeSliceMs: 0, deadlineMs: Number.POSITIVE_INFINITY }

test('a run without pauses gives its result synchronously', () => {
  expect(runInTimeSlices(runWithPauses(0), { ...noTimeLimit, pause: async () => {} })).toBe('done')
})

test('a pausable run can be run to its end without pausing', () => {
  expect(runToEnd(runWithPauses(3))).toBe('done')
})

test('a long run lets other work pass between its time slices', async () => {
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  await expect(runInTimeSlices(runWithPauses(5), { ...noTimeLimit, pause })).resolves.toBe('done')
  expect(pauses).toBeGreaterThan(0)
})

test('a run past its deadline ends with a timeout', async () => {
  const late = { timeSliceMs: 0, deadlineMs: 0, pause: async () => {} }
  await expect(runInTimeSlices(runWithPauses(5), late)).rejects.toBeInstanceOf(ExecutionTimeout)
})

test('a pause that throws ends the run with its error', async () => {
  const pause = async () => {
    throw new Error('nobody waits for the result')
  }
  await expect(runInTimeSlices(runWithPauses(5), { ...noTimeLimit, pause })).rejects.toThrow('nobody waits')
})
