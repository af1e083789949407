import { expect, test } from 'vitest'
import { type DatabaseWatch, storageNotices } from './database-watch.ts'

const well: DatabaseWatch = {
  problem: () => null,
  answerAgeMs: () => 0,
  diskProblem: () => null,
  warnings: () => [],
  status: () => ({ connectionsLost: 0, longestWaitMs: 0, freeBytes: null }),
  outdated: () => null,
  report: () => {},
}

test('pages have no banner while the database answers and can be written to', () => {
  expect(storageNotices(well, null)).toEqual([])
})

test('pages say that blocks are missing where the disk is full, whoever noticed it, and once only', () => {
  const full = ['The disk of the index is full: new blocks are missing until there is room again.']
  const watch = { ...well, diskProblem: () => 'the disk of DATA_DIR is full: 0 MB are free' }
  expect(storageNotices(watch, null)).toEqual(full)
  expect(storageNotices(well, 'full')).toEqual(full)
  expect(storageNotices(watch, 'full')).toEqual(full)
})

test('the banner of a silent database names neither its address nor its error', () => {
  const watch = { ...well, problem: () => 'PostgreSQL does not answer: connect ECONNREFUSED 10.0.0.7:5432' }
  expect(storageNotices(watch, null)).toEqual(['The database does not answer: pages may be missing or old.'])
})

test('pages say that an older version derived a part of the index, and how far it is derived again', () => {
  const watch = { ...well, outdated: () => 'a part of the index is old, 3 % done' }
  expect(storageNotices(watch, null)).toEqual(['A part of the index is old, 3 % done.'])
})
