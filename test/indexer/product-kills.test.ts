// The whole product, killed again and again, in short; `npm run soak:kills` does it 50 times on both engines.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { killProduct } from '../support/product-kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-kills-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

test('the whole product that is killed three times under reorgs and visitors has the index of one that never was', {
  timeout: 300_000,
}, async () => {
  const { differences, reorgs, visits } = await killProduct({ kills: 3, folder, databaseUrl: undefined })
  expect(differences).toEqual([])
  expect(reorgs).toBe(1)
  expect(visits.answered).toBeGreaterThan(0)
})
