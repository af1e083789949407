import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { JobProgress, type VerifyJob } from './verify-job.tsx'

const WAITING: VerifyJob = {
  guid: 'a'.repeat(32),
  address: `0x${'77'.repeat(20)}`,
  isProxy: false,
  createdMs: 0,
  endedMs: null,
  attempts: 0,
  stages: [],
  outcome: null,
  queue: { position: 3, length: 12 },
}

test('the page of a verification shows its position while it waits, and nothing of it when it runs', () => {
  expect(renderToString(<JobProgress job={WAITING} />)).toContain('Position 3 of 12 in the queue.')
  expect(renderToString(<JobProgress job={{ ...WAITING, queue: null }} />)).not.toContain('Position')
})
