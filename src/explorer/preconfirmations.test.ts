import { expect, test } from 'vitest'
import { groundAt, makePayload } from '../pending/payload-for-tests.ts'
import { createLedgerWorld } from '../preconfirmations/ledger-for-tests.ts'
import { isYetToCompare } from './preconfirmations.ts'

test('a preconfirmation is yet to be compared from the moment the index has its block until the ledger has it too', () => {
  const world = createLedgerWorld()
  const ground = groundAt(100)
  const first = makePayload({ parentHash: ground.hash, height: 101, name: 'first', counts: [1, 1] })
  const second = makePayload({ parentHash: first.sealed.hash, height: 102, name: 'second', counts: [1] })
  const { hash } = first.flashblocks[1]!.transactions[0]!
  world.seal(ground, 1_000)
  expect(isYetToCompare(world.mirror, hash, 101)).toBe(false)
  world.receive(first.flashblocks, 1_200)
  expect(isYetToCompare(world.mirror, hash, 101)).toBe(true)
  world.seal(first.sealed, 2_000)
  expect(isYetToCompare(world.mirror, hash, 101)).toBe(false)
  world.receive(second.flashblocks, 2_200)
  world.seal(second.sealed, 3_000)
  // What was missed is not about to come.
  expect(isYetToCompare(world.mirror, hash, 101)).toBe(false)
})
