// Compiled code is cached on disk: the next start, and every thread and process beside this one, takes half the time.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { flushCompileCacheSoon } from '../lib/thread/compile-cache.ts'

/** Must be called before anything large is imported. Threads read the environment variable: they import before their own code could call this. */
export function useCompileCache(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
  flushCompileCacheSoon()
}
