// Listening: this process, and more processes that serve on the same port.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Part } from '../lib/async/lifecycle.ts'
import { sharesPort } from './access-part.ts'
import type { Config } from './options.ts'

export type Listening = { readonly port: number; readonly url: string }

export function httpPart(app: FastifyInstance, config: Config): Part<Listening> {
  return {
    name: 'http',
    start: async () => {
      const reusePort = sharesPort(config) ? { reusePort: true } : {}
      await app.listen({ host: config.HOST, port: config.PORT, ...reusePort })
      const { port } = app.server.address() as AddressInfo
      return { port, url: urlOf(port, config.HOST) }
    },
    stop: () => app.close(),
  }
}

function urlOf(port: number, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const SINGLE_ROLES: readonly string[] = ['indexer', 'verifier']

/**
 * The same command again, without the roles that only one process has. The system spreads connections over all processes that listen.
 * `moreFlags` are settings that are neither on the command line nor in the environment; everybody on the machine can read them.
 */
export function apiProcessesPart(
  config: Config,
  { port, moreFlags, fail }: { port: number; moreFlags: readonly string[]; fail: (cause: Error) => void },
): Part<ChildProcess[]> {
  return {
    name: 'API processes',
    start: (signal) =>
      Array.from({ length: config.API_PROCESSES }, () => {
        const child = fork(main, [...process.argv.slice(2), ...ownFlags(config, port), ...moreFlags], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
        child.once('exit', (code) => {
          if (!signal.aborted) fail(new Error(`an API process ended with code ${code}`))
        })
        return child
      }),
    stop: async (children) => {
      // Not by a signal: Ctrl-C in a terminal has reached all of them already, and a second signal ends a process immediately.
      for (const child of children) if (child.connected) child.disconnect()
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    },
  }
}

/** These come after the flags of the command line: of two flags with one name the later one counts. */
function ownFlags(config: Config, port: number): string[] {
  return [
    ...['--api-processes', '0', '--shared-port', '--port', String(port)],
    ...['--roles', config.ROLES.filter((role) => !SINGLE_ROLES.includes(role)).join(',')],
  ]
}
