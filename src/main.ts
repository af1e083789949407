#!/usr/bin/env node
import { keepCompiled } from './commands/compile-cache.ts'

keepCompiled()
const { runCommand } = await import('./commands/run.ts')
process.exitCode = await runCommand(process.argv.slice(2))
