import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-lock-'))
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Another process that tries to hold the folder at a given time, says `held` or `refused`, and stays. */
async function holder(atMs = 0): Promise<{ child: ChildProcess; said: string }> {
  const program = `
    const { lockFolder } = await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)})
    while (Date.now() < ${atMs});
    let said = 'held'
    try { lockFolder(${JSON.stringify(folder)}) } catch { said = 'refused' }
    console.log(said)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const [said] = await once(child.stdout!, 'data')
  return { child, said: String(said).trim() }
}

describe('a locked folder', () => {
  test('a locked folder is refused while its holder lives, and taken over once it died', async () => {
    const { child, said } = await holder()
    expect(said).toBe('held')
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    expect(() => lockFolder(folder)).toThrow(`in use by process ${child.pid}`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  test('a locked folder is never held by two of those that come at once', async () => {
    const atMs = Date.now() + 1_000
    const all = await Promise.all(Array.from({ length: 4 }, () => holder(atMs)))
    expect(all.filter(({ said }) => said === 'held').length).toBeLessThanOrEqual(1)
  })

  test('a locked folder is free again after it was let go, whatever else lies there', () => {
    writeFileSync(join(folder, 'lock'), '1')
    writeFileSync(join(folder, 'lock-file'), '')
    lockFolder(folder)()
    expect(() => lockFolder(folder)).not.toThrow()
  })
})
