import { expect, test } from 'vitest'
import { createPace, emptyProgress, type IndexerProgress, progressBar, withRemaining } from './progress.ts'

function at(start: number, head: number): IndexerProgress {
  return { ...emptyProgress, state: 'backfilling', start, head }
}
function range(firstHeight: number, lastHeight: number) {
  return { firstHeight, lastHeight }
}

test('progress says what is missing and how long it takes at the pace of the last half minute', () => {
  const pace = createPace()
  pace.wrote(9_000, 0)
  pace.wrote(1_000, 60_000)
  pace.wrote(300, 62_000)
  pace.wrote(200, 65_000)
  expect(pace.blocksPerSecond(65_000)).toBe(100)
  const progress = withRemaining(at(0, 9_999), [range(0, 9_499)], pace.blocksPerSecond(65_000))
  expect(progress).toMatchObject({ indexed: 9_499, missing: [{ from: 9_500, to: 9_999 }], secondsLeft: 5 })
  expect(progressBar(progress)).toBe(
    'Indexing [======================= ] 95.0 %  500 blocks to go up to 9999, 100 blocks/s, 5 s left',
  )
})

test('a pace of long ago is none', () => {
  const pace = createPace()
  pace.wrote(100, 0)
  pace.wrote(100, 1_000)
  expect(pace.blocksPerSecond(1_000)).toBe(100)
  expect(pace.blocksPerSecond(60_000)).toBe(0)
})

test('progress begins at the start height, and misses nothing at the head', () => {
  expect(withRemaining(at(15, 20), [], 0)).toMatchObject({ missing: [{ from: 15, to: 20 }], secondsLeft: null })
  expect(withRemaining(at(15, 20), [range(15, 20)], 1)).toMatchObject({ missing: [], secondsLeft: 0 })
})

test('progress misses what lies between and below the stored ranges too', () => {
  expect(withRemaining(at(5, 101), [range(10, 19), range(90, 99)], 1)).toMatchObject({
    indexed: 99,
    missing: [
      { from: 5, to: 9 },
      { from: 20, to: 89 },
      { from: 100, to: 101 },
    ],
    secondsLeft: 77,
  })
})
