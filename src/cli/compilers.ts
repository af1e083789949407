import { homedir } from 'node:os'
import { join } from 'node:path'
import { createCompilePool } from '../verification/compile/pool.ts'
import { type Compilers, createCompilers } from '../verification/compilers/compilers.ts'
import { fetchEnvironmentFrom } from '../verification/compilers/fetch-step.ts'
import { parseCompilerVersion } from '../verification/input/compiler-version.ts'
import { actionNamed, type Command, type ExitCode, type Invocation, UsageError } from './command.ts'

const FETCH_TIMEOUT_MS = 600_000

export const compilers: Command = {
  summary: 'List the installed compilers, and download others before they are needed',
  usage: 'compilers list | compilers fetch <version> [<version> ...]',
  flags: { json: { describe: 'Print JSON' } },
  run: async (invocation) => {
    const [word, ...words] = invocation.words
    const action = actionNamed('compilers', actions, word)
    const { DATA_DIR, COMPILERS_DIR } = invocation.configuration.settings
    const pool = createCompilePool()
    try {
      const folder = join(DATA_DIR, 'compilers')
      const environment = fetchEnvironmentFrom(process.env, homedir())
      const known = createCompilers({ folder, compilersDir: COMPILERS_DIR, pool, environment })
      return await action(known, { ...invocation, words })
    } finally {
      await pool.stop()
    }
  },
}

async function list(known: Compilers, { flags, print }: Invocation): Promise<ExitCode> {
  const listed = await known.list()
  if (flags.json !== undefined) print(JSON.stringify(listed))
  else
    for (const { language, version, origin } of listed) print(`${language.padEnd(8)}  ${version.padEnd(8)}  ${origin}`)
  return 'done'
}

/** `0.8.30`, `vyper:0.3.10`. */
async function fetchAll(known: Compilers, { words, flags, print }: Invocation): Promise<ExitCode> {
  if (words.length === 0) {
    throw new UsageError('compilers fetch needs versions: firstlight compilers fetch 0.8.30 vyper:0.3.10')
  }
  let exitCode: ExitCode = 'done'
  for (const word of words) {
    const wanted = parseCompilerVersion(word)
    if (!wanted) throw new UsageError(`${word} is not a compiler version such as 0.8.30 or vyper:0.3.10`)
    const language = /^vyper/i.test(word) ? 'vyper' : 'solidity'
    const found = await known.compiler(language, wanted.version, AbortSignal.timeout(FETCH_TIMEOUT_MS))
    if (found.type === 'unavailable') exitCode = 'failed'
    if (flags.json !== undefined) print(JSON.stringify(found))
    else if (found.type === 'unavailable') print(`${language} ${wanted.version} is not available: ${found.reason}`)
    else print(`${language} ${found.compiler.longVersion}`)
  }
  return exitCode
}

const actions = { list, fetch: fetchAll }
