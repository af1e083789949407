import { flushCompileCache } from 'node:module'

/** By then a program has compiled what it needs to start. */
const FLUSH_AFTER_MS = 5_000

/** Writes what this thread compiled to Node's compile cache, for the next start. Each thread has a cache of its own, which Node writes
 * only at a regular exit: a process that is killed would leave nothing. */
export function flushCompileCacheSoon(): void {
  void setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref()
}
