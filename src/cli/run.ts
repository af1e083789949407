// Runs one command: finds it by its name, reads its flags and settings, and turns an error into a message and an exit code.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { version } from '../app/context.ts'
import { options } from '../app/options.ts'
import { flagOf, loadConfig } from '../lib/config/config.ts'
import { nearestOf } from '../lib/nearest.ts'
import { type Command, didYouMean, type ExitCode, exitCodes, UsageError } from './command.ts'
import { commandLineFrom } from './command-line.ts'
import { compilers } from './compilers.ts'
import { config } from './config.ts'
import { dev } from './dev.ts'
import { devnet } from './devnet.ts'
import { doctor } from './doctor.ts'
import { explainError } from './explain-error.ts'
import { commandHelp, generalHelp } from './help.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { operatorToken } from './operator-token.ts'
import { resync } from './resync.ts'
import { start } from './start.ts'

export const commands: Readonly<Record<string, Command>> = {
  dev,
  start,
  devnet,
  keys,
  'operator-token': operatorToken,
  compilers,
  doctor,
  migrate,
  resync,
  config,
}

function print(line: string): void {
  console.log(line)
}

export async function runCommand(argv: readonly string[]): Promise<number> {
  try {
    return exitCodes[await run(argv)].code
  } catch (error) {
    const { exitCode, message } = explainError(error)
    console.error(`firstlight: ${message}`)
    return exitCodes[exitCode].code
  }
}

async function run(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv
  if (argv.includes('--version') || name === 'version') {
    print(version)
    return 'done'
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const asked = rest[0] ? commandNamed(rest[0]) : undefined
    print(asked ? commandHelp(asked) : generalHelp(commands))
    return name === undefined ? 'usage' : 'done'
  }
  const command = commandNamed(name)
  if (rest.includes('--help') || rest.includes('-h')) {
    print(commandHelp(command))
    return 'done'
  }
  const { words, flags, settings } = commandLineFrom(rest, command.flags ?? {})
  if (words[0] !== undefined && command.usage === name) throw unexpectedWord(command, words[0])
  const configuration = loadConfig(options, {
    flags: settings,
    environment: process.env,
    dotenv: existsSync('.env') ? (parseEnv(readFileSync('.env', 'utf8')) as Record<string, string>) : {},
    command: command.defaults ?? {},
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  return command.run({ words, flags, configuration, print })
}

/** An ignored word would mislead: `dev reset` would not reset anything. */
function unexpectedWord({ usage, flags = {} }: Command, word: string): UsageError {
  const near = nearestOf(word.replace(/^-+/, ''), [...Object.keys(flags), ...Object.keys(options).map(flagOf)])
  return new UsageError(`${usage} takes no word ${word}${didYouMean(near && `--${near}`)}`)
}

function commandNamed(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name]!
  const near = nearestOf(name, Object.keys(commands))
  throw new UsageError(`there is no command ${name}${didYouMean(near)}; see firstlight --help`)
}
