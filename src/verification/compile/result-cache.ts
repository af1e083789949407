// A cache on disk of compiler outputs, by compiler build and input. A compiler gives the same output for the same input, so no entry
// becomes stale; the least recently used entries are removed when the cache is larger than its limit.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

export type ResultCache = {
  get: (key: string) => Promise<string | undefined>
  set: (key: string, output: string) => Promise<void>
}

const MAX_BYTES = 512 * 2 ** 20
/** An eviction goes down to this share of the limit, so that not every new result causes one. */
const SHARE_AFTER_EVICTION = 0.8
/** Writes between two checks of the size. */
const WRITES_PER_CHECK = 50
const MAX_OUTPUT_BYTES = 256 * 2 ** 20

export function resultKey(build: string, input: string): string {
  return createHash('sha256').update(build).update('\n').update(input).digest('hex')
}

export function createResultCache(folder: string, { maxBytes = MAX_BYTES } = {}): ResultCache {
  mkdirSync(folder, { recursive: true })
  let written = 0

  const evict = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.gz'))
    const entries = await Promise.all(
      names.map(async (name) => {
        const file = join(folder, name)
        const found = await stat(file).catch(() => null)
        return { file, bytes: found?.size ?? 0, usedMs: found?.mtimeMs ?? 0 }
      }),
    )
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= maxBytes) return
    for (const { file, bytes } of entries.sort((a, b) => a.usedMs - b.usedMs)) {
      if (total <= maxBytes * SHARE_AFTER_EVICTION) return
      await rm(file, { force: true })
      total -= bytes
    }
  }

  return {
    get: async (key) => {
      const file = join(folder, `${key}.gz`)
      try {
        const output = await promisify(gunzip)(await readFile(file), { maxOutputLength: MAX_OUTPUT_BYTES })
        const now = new Date()
        await utimes(file, now, now)
        return output.toString()
      } catch {
        // The file is absent, being removed, or cut short by a crash: compiling again solves all three.
        return undefined
      }
    },
    set: async (key, output) => {
      const file = join(folder, `${key}.gz`)
      const draft = `${file}.${process.pid}-${written++}`
      await writeFile(draft, await promisify(gzip)(output, { level: 1 }))
      await rename(draft, file)
      if (written % WRITES_PER_CHECK === 0) await evict()
    },
  }
}
