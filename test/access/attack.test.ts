// The short form of `npm run attack`: the attacks that once stopped everybody else, for a few seconds each. How much slower an honest client
// becomes is for a quiet machine; here it must be answered, never refused.
import { expect, test } from 'vitest'
import { runAttacks } from '../support/attack/run-attacks.ts'

const NAMES = ['deep JSON', 'exports in parallel', 'looping batches over a WebSocket', 'big bodies']

test('an honest client is answered and never refused while another address attacks', { timeout: 180_000 }, async () => {
  const all = await runAttacks({ names: NAMES, seconds: 3, warmUpS: 5, backWithinS: 1, report: () => undefined })
  for (const { attack, alone, attacked } of all) {
    expect(attacked.refused, attack).toEqual([])
    expect(attacked.requests, attack).toBeGreaterThan(alone.requests / 2)
  }
})
