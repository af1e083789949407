import { flushCompileCache } from 'node:module'

/** What a program compiles while it starts is compiled by then. */
const WRITTEN_AFTER_MS = 5_000

/** Puts aside what this thread compiled, for the next one of its kind: each thread has its own, and one that is killed leaves nothing. */
export function writeCompiled(): void {
  void setTimeout(flushCompileCache, WRITTEN_AFTER_MS).unref()
}
