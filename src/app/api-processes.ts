// More processes that serve on the same port: the same command again, without the parts of which there is only one. The
// system spreads connections over all that listen. They end when this process ends.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from './options.ts'
import type { Running } from './run-until-signal.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const SINGLE_ROLES: readonly string[] = ['indexer', 'verifier']

/** `moreFlags` tell what stands neither on the command line nor in the environment; everybody on the machine can read them. */
export async function startApiProcesses(
  config: Config,
  { port, moreFlags }: { port: number; moreFlags: readonly string[] },
  { lifecycle, fail }: Running,
): Promise<void> {
  const children: ChildProcess[] = []
  await lifecycle.start({
    name: 'API processes',
    start: () => {
      for (let i = 0; i < config.API_PROCESSES; i++) {
        const child = fork(main, [...process.argv.slice(2), ...ownFlags(config, port), ...moreFlags], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
        child.once('exit', (code) => {
          if (!lifecycle.signal.aborted) fail(new Error(`an API process ended with code ${code}`))
        })
        children.push(child)
      }
    },
    stop: async () => {
      // Not by a signal: where a terminal's Ctrl-C went to all of them it would be the second, which ends a process at once.
      for (const child of children) if (child.connected) child.disconnect()
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    },
  })
}

/** Of two flags with one name the later one counts. */
function ownFlags(config: Config, port: number): string[] {
  return [
    ...['--api-processes', '0', '--shared-port', '--port', String(port)],
    ...['--roles', config.ROLES.filter((role) => !SINGLE_ROLES.includes(role)).join(',')],
  ]
}
