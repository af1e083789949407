import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createResultCache, resultKey } from './result-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-results-'))
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

test('a compiler output is found by the build of the compiler and the input', async () => {
  const cache = createResultCache(folder)
  await cache.set(resultKey('0.8.30', 'input'), 'output')
  expect(await cache.get(resultKey('0.8.30', 'input'))).toBe('output')
  expect(await cache.get(resultKey('0.8.31', 'input'))).toBeUndefined()
})

test('a cache entry that was cut short is treated as absent', async () => {
  const key = resultKey('0.8.30', 'input')
  writeFileSync(join(folder, `${key}.gz`), 'not gzip')
  expect(await createResultCache(folder).get(key)).toBeUndefined()
})

test('the least recently used outputs are removed when the cache is over its limit', async () => {
  const cache = createResultCache(folder, { maxBytes: 600 })
  for (let i = 0; i < 50; i++) {
    await cache.set(`key${i}`, `output ${i}`)
    utimesSync(join(folder, `key${i}.gz`), i, i)
  }
  expect(await cache.get('key0')).toBeUndefined()
  expect(await cache.get('key49')).toBe('output 49')
  expect(readdirSync(folder).length).toBeLessThan(30)
})
