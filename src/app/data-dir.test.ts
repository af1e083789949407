import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDataDir, keysSecretOf, newOperatorToken, operatorTokenOf } from './data-dir.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('secrets that the data folder creates are stored, and only their owner can read them', () => {
  const secret = keysSecretOf(folder, undefined)
  const token = operatorTokenOf(folder, undefined)
  expect([keysSecretOf(folder, undefined), operatorTokenOf(folder, undefined)]).toEqual([secret, token])
  expect(readdirSync(folder).sort()).toEqual(['keys-secret', 'operator-token'])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  expect(newOperatorToken(folder)).not.toBe(token)
  expect(operatorTokenOf(folder, undefined)).not.toBe(token)
})

test('a secret file that a full disk cut short is written again', () => {
  for (const [file, secretOf] of [
    ['keys-secret', keysSecretOf],
    ['operator-token', operatorTokenOf],
  ] as const) {
    writeFileSync(join(folder, file), '\n')
    const secret = secretOf(folder, undefined)
    expect(secret.length, file).toBeGreaterThan(20)
    expect(secretOf(folder, undefined)).toBe(secret)
  }
})

test('processes that start at the same time get the same secret', async () => {
  const atMs = Date.now() + 1_000
  const program = `
    const { keysSecretOf } = await import(${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)})
    while (Date.now() < ${atMs});
    console.log(keysSecretOf(${JSON.stringify(folder)}, undefined))`
  const secrets = await Promise.all(
    Array.from({ length: 4 }, () => text(spawn(process.execPath, ['--input-type=module', '-e', program]).stdout)),
  )
  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]!.trim()).toBe(keysSecretOf(folder, undefined))
})

test('a data folder that cannot be made is refused at once, with its name', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => ensureDataDir(join(folder, 'file', 'data'))).toThrow(/DATA_DIR: .*data cannot be used as a folder/)
  expect(() => ensureDataDir(join(folder, 'new', 'data'))).not.toThrow()
})
