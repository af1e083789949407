#!/usr/bin/env node
import { keepCompiled } from './app/compile-cache.ts'

keepCompiled()
const { runCommand } = await import('./cli/run.ts')
process.exitCode = await runCommand(process.argv.slice(2))
// The command is over: what it left open in spite of itself does not keep the process.
setTimeout(() => process.exit(), 1_000).unref()
