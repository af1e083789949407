// The soak of scripts/soak-read-your-writes.ts in half a minute.
import { expect, test } from 'vitest'
import { readYourWrites } from '../support/read-your-writes.ts'

test('whoever has a receipt finds what it says at pending, though the node takes 60 ms longer for every call', async () => {
  const { stale, failures, writes, receiptMs, preconfirmed } = await readYourWrites({
    writes: 300,
    tps: 50,
    addedMs: 60,
    report: () => {},
  })
  console.log(
    `${writes} writes, ${preconfirmed} preconfirmed, receipts after ${receiptMs.p50} ms (99th: ${receiptMs.p99})`,
  )
  expect(stale).toEqual([])
  expect(failures).toEqual([])
  expect(writes).toBe(300)
  expect(preconfirmed).toBeGreaterThan(150)
}, 300_000)
