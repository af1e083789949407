// More processes that serve on the same port: the same command again, without the parts of which there is only one. The
// system spreads connections over all that listen. They end when this process ends.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from './options.ts'
import type { Running } from './run-until-signal.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const SINGLE_ROLES: readonly string[] = ['indexer', 'verifier']

export const startApiProcesses = async (config: Config, port: number, { lifecycle, fail }: Running): Promise<void> => {
  const children: ChildProcess[] = []
  await lifecycle.start({
    name: 'API processes',
    start: () => {
      for (let i = 0; i < config.API_PROCESSES; i++) {
        const child = fork(main, [...process.argv.slice(2), ...overrides(config, port)], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
        child.once('exit', (code) => {
          if (!lifecycle.signal.aborted) fail(new Error(`an API process ended with code ${code}`))
        })
        children.push(child)
      }
    },
    stop: async () => {
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    },
  })
}

/** Of two flags with one name the later one counts. */
const overrides = (config: Config, port: number): string[] => [
  ...['--api-processes', '0', '--shared-port', '--port', String(port)],
  ...['--roles', config.ROLES.filter((role) => !SINGLE_ROLES.includes(role)).join(',')],
  ...(config.RPC_URL ? ['--rpc-url', config.RPC_URL.join(',')] : []),
  ...(config.FLASHBLOCKS_ENABLED ? ['--flashblocks-enabled'] : []),
  ...(config.FLASHBLOCKS_URL ? ['--flashblocks-url', config.FLASHBLOCKS_URL.join(',')] : []),
]
