#!/usr/bin/env node
// Code that was compiled once is kept, so that the next start, and every process beside this one, is up in half the time.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const WRITTEN_AFTER_MS = 5_000

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
setTimeout(flushCompileCache, WRITTEN_AFTER_MS).unref()
const { runCommand } = await import('./commands/run.ts')
process.exitCode = await runCommand(process.argv.slice(2))
