#!/usr/bin/env node
import { useCompileCache } from './cli/compile-cache.ts'

useCompileCache()
const { runCommand } = await import('./cli/run.ts')
process.exitCode = await runCommand(process.argv.slice(2))
// The command is done: a handle that it left open must not hold the process open.
setTimeout(() => process.exit(), 1_000).unref()
