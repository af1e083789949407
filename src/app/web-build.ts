// Builds web/ into web/dist, and again when its sources are newer.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const webDir = join(root, 'web', 'dist')
const sources = ['web', 'src/client', 'src/contract', 'vite.config.ts']

export async function buildWebIfStale(): Promise<void> {
  if (newestIn(webDir) > Math.max(...sources.map((source) => newestIn(join(root, source), 'dist')))) return
  const vite = await import('vite').catch((cause) => {
    throw new Error('the web pages are not built and vite is not installed: run `npm run build` before `npm prune`', {
      cause,
    })
  })
  // Built in another folder and then renamed: another process may be reading the current one.
  const aside = join(root, 'node_modules', '.cache', `web-${process.pid}`)
  const builder = await vite.createBuilder({
    root,
    logLevel: 'warn',
    configFile: join(root, 'vite.config.ts'),
    environments: {
      client: { build: { outDir: join(aside, 'client') } },
      ssr: { build: { outDir: join(aside, 'server') } },
    },
  })
  await builder.buildApp()
  try {
    rmSync(webDir, { recursive: true, force: true })
    renameSync(aside, webDir)
  } catch (error) {
    // Another process was faster and built the same.
    rmSync(aside, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Modification time of the newest file; 0 when there is none. */
function newestIn(path: string, except?: string): number {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry) return 0
  if (!entry.isDirectory()) return entry.mtimeMs
  return readdirSync(path)
    .filter((name) => name !== except)
    .reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), 0)
}
