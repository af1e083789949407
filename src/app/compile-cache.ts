// Code that was compiled once is kept, so that the next start, and every thread and process beside this one, is up in half the time.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { flushCompileCacheSoon } from '../lib/thread/compile-cache.ts'

/** Before anything large is imported. Threads compile what they import before they could ask for it: they look into the environment. */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
  flushCompileCacheSoon()
}
