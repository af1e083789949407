// The browser's part is built once, and again when its sources are newer.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const webDir = join(root, 'web', 'dist')
const sources = ['web/islands', 'web/styles', 'web/pages', 'src/client', 'src/contract', 'vite.config.ts']

export const buildWebIfStale = async (): Promise<void> => {
  if (newestIn(webDir) > Math.max(...sources.map((source) => newestIn(join(root, source))))) return
  const vite = await import('vite').catch((cause) => {
    throw new Error(
      'the web part is not built and the builder is not installed: run `npm run build` before `npm prune`',
      { cause },
    )
  })
  await vite.build({ root, logLevel: 'warn', configFile: join(root, 'vite.config.ts') })
}

/** Modification time of the newest file; 0 when there is none. */
const newestIn = (path: string): number => {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry) return 0
  if (!entry.isDirectory()) return entry.mtimeMs
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), 0)
}
