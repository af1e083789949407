// The soak of scripts/soak-pending.ts in half a minute.
import { expect, test } from 'vitest'
import { soakPending } from '../support/pending-soak.ts'

test('the service says of pending blocks what is sealed, while the feed breaks off and the node restarts', async () => {
  const { compared, divergences, errors, refusals, reconnects, restarts, middleMb, endMb, values } = await soakPending({
    minutes: 0.5,
    tps: 20,
    reconnectEveryMs: 4_000,
    restartEveryMs: 16_000,
    pauseAfterRestartMs: 4_000,
    memoryEveryMs: 1_500,
    leastCompared: 12,
    report: () => {},
  })
  console.log(`${compared} blocks, ${values} values; ${middleMb} MB, then ${endMb} MB`)
  expect(divergences).toEqual([])
  expect(errors).toEqual([])
  expect(refusals).toEqual([])
  expect(compared).toBeGreaterThanOrEqual(12)
  expect([reconnects, restarts]).toEqual([expect.any(Number), 1])
  expect(reconnects).toBeGreaterThanOrEqual(4)
  expect(endMb).toBeLessThan(middleMb * 1.5)
}, 300_000)
