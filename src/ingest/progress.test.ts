import { expect, test } from 'vitest'
import { barOf, createPace, emptyProgress, withRemaining } from './progress.ts'

const at = (indexed: number | null, head: number) => ({
  ...emptyProgress,
  state: 'backfilling' as const,
  indexed,
  head,
})

test('tells what is missing and how long it takes at the pace of the last half minute', () => {
  const pace = createPace()
  pace.reached(0, 0)
  pace.reached(9_000, 60_000)
  pace.reached(9_500, 65_000)
  expect(pace.blocksPerSecond()).toBe(100)
  const progress = withRemaining(at(9_500, 10_000), 0, pace.blocksPerSecond())
  expect(progress).toMatchObject({ missing: [{ from: 9_501, to: 10_000 }], secondsLeft: 5 })
  expect(barOf(progress)).toBe(
    'Indexing [======================= ] 95.0 %  block 9500 of 10000, 100 blocks/s, 5 s left',
  )
})

test('begins at the start height, and misses nothing at the head', () => {
  expect(withRemaining(at(null, 20), 15, 0)).toMatchObject({ missing: [{ from: 15, to: 20 }], secondsLeft: null })
  expect(withRemaining(at(20, 20), 15, 1)).toMatchObject({ missing: [], secondsLeft: 0 })
})

test('a reorg does not make the pace negative', () => {
  const pace = createPace()
  pace.reached(100, 0)
  pace.reached(50, 1_000)
  pace.reached(60, 2_000)
  expect(pace.blocksPerSecond()).toBe(10)
})
