import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a locked folder', () => {
  it('is refused while its holder lives, and taken over once it died', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(holder, 'spawn')
    writeFileSync(join(folder, 'lock'), String(holder.pid))
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    expect(() => lockFolder(folder)).toThrow(`in use by process ${holder.pid}`)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(() => lockFolder(folder)()).not.toThrow()
  })

  it('is free again after it was let go, and after a torn file', () => {
    lockFolder(folder)()
    lockFolder(folder)()
    writeFileSync(join(folder, 'lock'), '')
    expect(() => lockFolder(folder)).not.toThrow()
  })
})
