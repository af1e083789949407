// argv to one command: finds it, reads its flags and settings, runs it, and turns what it throws into words and an exit
// code. The only file that reads the environment.
import { readFileSync } from 'node:fs'
import { options } from '../app/options.ts'
import { version } from '../app/version.ts'
import { flagOf, loadConfig } from '../lib/config/config.ts'
import { dotenvFrom } from '../lib/config/dotenv.ts'
import { nearestOf } from '../lib/nearest.ts'
import { type Command, UsageError } from './command.ts'
import { commandLineFrom } from './command-line.ts'
import { compilers } from './compilers.ts'
import { config } from './config.ts'
import { dev } from './dev.ts'
import { devnet } from './devnet.ts'
import { doctor } from './doctor.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { explanationOf } from './explanation.ts'
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
function complain(line: string): void {
  console.error(`firstlight: ${line}`)
}

export async function runCommand(argv: readonly string[]): Promise<number> {
  try {
    return exitCodes[await run(argv)].code
  } catch (error) {
    const [exitCode, message] = explanationOf(error)
    complain(message)
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
  if (words[0] !== undefined && command.usage === name) throw uselessWord(command, words[0])
  const configuration = loadConfig(options, {
    flags: settings,
    environment: process.env,
    dotenv: dotenvFrom('.env'),
    command: command.defaults ?? {},
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  return command.run({ words, flags, configuration, print })
}

/** Left alone it would be taken for understood: `dev reset` does not reset. */
function uselessWord({ usage, flags = {} }: Command, word: string): UsageError {
  const near = nearestOf(word.replace(/^-+/, ''), [...Object.keys(flags), ...Object.keys(options).map(flagOf)])
  return new UsageError(`${usage} takes no word ${word}${near ? `; did you mean --${near}?` : ''}`)
}

function commandNamed(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name]!
  const near = nearestOf(name, Object.keys(commands))
  throw new UsageError(`there is no command ${name}${near ? `; did you mean ${near}?` : ''}; see firstlight --help`)
}
