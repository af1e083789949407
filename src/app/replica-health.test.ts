import { expect, test } from 'vitest'
import { replicaAfterFailure, replicaAfterLook, unknownReplica } from './replica-health.ts'

const following = { isRecovering: true, version: 5, head: 50 }
const primary = { isRecovering: false, version: 5, head: 50 }
const MAX_LAG_MS = 10_000

test('a replica that has what its primary has is used', () => {
  const health = replicaAfterLook(unknownReplica, { replica: following, primary, nowMs: 0 }, MAX_LAG_MS)
  expect(health).toMatchObject({ problem: null, lagMs: 0, lagBlocks: 0 })
})

test('a replica that stays behind is left, and taken back when it has caught up', () => {
  const ahead = { ...primary, version: 8, head: 53 }
  let health = replicaAfterLook(unknownReplica, { replica: following, primary: ahead, nowMs: 0 }, MAX_LAG_MS)
  expect(health.problem).toBeNull()
  health = replicaAfterLook(health, { replica: following, primary: ahead, nowMs: 12_000 }, MAX_LAG_MS)
  expect(health).toMatchObject({ problem: 'it is 12 s and 3 blocks behind', lagMs: 12_000, lagBlocks: 3 })
  const caughtUp = { ...following, version: 8, head: 53 }
  health = replicaAfterLook(health, { replica: caughtUp, primary: ahead, nowMs: 14_000 }, MAX_LAG_MS)
  expect(health).toMatchObject({ problem: null, lagMs: 0 })
})

test('a replica that was promoted is left though it has everything', () => {
  const before = replicaAfterLook(unknownReplica, { replica: following, primary, nowMs: 0 }, MAX_LAG_MS)
  const promoted = { ...following, isRecovering: false }
  expect(replicaAfterLook(before, { replica: promoted, primary, nowMs: 1 }, MAX_LAG_MS).problem).toContain('promoted')
})

test('a replica goes on while its primary does not answer, and is left when it does not answer itself', () => {
  const alone = replicaAfterLook(unknownReplica, { replica: following, primary: undefined, nowMs: 0 }, MAX_LAG_MS)
  expect(alone).toMatchObject({ problem: null, lagMs: null })
  expect(replicaAfterFailure(alone, 'gone').problem).toBe('it does not answer: gone')
})

test('a database that has more than the primary is not its replica', () => {
  const other = { isRecovering: false, version: 9, head: 60 }
  const health = replicaAfterLook(unknownReplica, { replica: other, primary, nowMs: 0 }, MAX_LAG_MS)
  expect(health.problem).toContain('not its replica')
})
