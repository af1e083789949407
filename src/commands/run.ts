// argv to one command: finds it, reads its flags and settings, runs it, and turns what it throws into words and an exit
// code. The only file that reads the environment.
import { readFileSync } from 'node:fs'
import { WrongKeysSecret } from '../access/key-ring.ts'
import { ConfigError, loadConfig } from '../lib/config.ts'
import { dotenvFrom } from '../lib/dotenv.ts'
import { FolderInUse } from '../lib/folder-lock.ts'
import { nearestOf } from '../lib/nearest.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { SchemaMismatch } from '../store/migrate.ts'
import { type Command, UsageError } from './command.ts'
import { commandLineFrom } from './command-line.ts'
import { compilers } from './compilers.ts'
import { config } from './config.ts'
import { dev } from './dev.ts'
import { devnet } from './devnet.ts'
import { doctor } from './doctor.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { commandHelp, generalHelp } from './help.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { operatorToken } from './operator-token.ts'
import { options } from './options.ts'
import { resync } from './resync.ts'
import { start } from './start.ts'
import { version } from './version.ts'

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

const print = (line: string): void => console.log(line)
const complain = (line: string): void => console.error(`firstlight: ${line}`)

export const runCommand = async (argv: readonly string[]): Promise<number> => {
  try {
    return exitCodes[await run(argv)].code
  } catch (error) {
    const [exitCode, message] = explanationOf(error)
    complain(message)
    return exitCodes[exitCode].code
  }
}

const run = async (argv: readonly string[]): Promise<ExitCode> => {
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
  const configuration = loadConfig(options, {
    flags: settings,
    environment: process.env,
    dotenv: dotenvFrom('.env'),
    command: command.defaults ?? {},
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  return command.run({ words, flags, configuration, print })
}

const commandNamed = (name: string): Command => {
  if (Object.hasOwn(commands, name)) return commands[name]!
  const near = nearestOf(name, Object.keys(commands))
  throw new UsageError(`there is no command ${name}${near ? `; did you mean ${near}?` : ''}; see firstlight --help`)
}

/** Expected failures in one line; a bug keeps its stack. */
const explanationOf = (error: unknown): [ExitCode, string] => {
  if (error instanceof UsageError) return ['usage', error.message]
  if (error instanceof ConfigError || error instanceof WrongKeysSecret) return ['config', error.message]
  if (error instanceof DatabaseUnavailable) return ['tryLater', error.message]
  if (error instanceof SchemaMismatch || error instanceof FolderInUse) return ['failed', error.message]
  const { code, message, stack, name } = error as NodeJS.ErrnoException
  // Comes from the devnet's thread, where it was another class.
  if (name === 'UnusableChain') return ['failed', message]
  if (code === 'EADDRINUSE') return ['failed', `${message}: choose another PORT, or stop what listens there`]
  if (code === 'EACCES' || code === 'ENOENT' || code === 'ENOSPC') return ['failed', message]
  return ['failed', stack ?? String(error)]
}
