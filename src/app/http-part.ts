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

export function httpPart(
  app: FastifyInstance,
  config: Config,
  { name, host, port }: { readonly name: string; readonly host: string; readonly port: number },
): Part<Listening> {
  return {
    name,
    start: async () => {
      const reusePort = sharesPort(config) ? { reusePort: true } : {}
      await app.listen({ host, port, ...reusePort })
      const address = app.server.address() as AddressInfo
      return { port: address.port, url: urlOf(address.port, host) }
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
  options: {
    readonly port: number
    readonly operatorPort: number | undefined
    readonly moreFlags: readonly string[]
    readonly fail: (cause: Error) => void
  },
): Part<ChildProcess[]> {
  const { moreFlags, fail } = options
  return {
    name: 'API processes',
    start: (signal) =>
      Array.from({ length: config.API_PROCESSES }, () => {
        const child = fork(main, [...process.argv.slice(2), ...ownFlags(config, options), ...moreFlags], {
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
function ownFlags(
  config: Config,
  { port, operatorPort }: { readonly port: number; readonly operatorPort: number | undefined },
): string[] {
  return [
    ...(operatorPort === undefined ? [] : ['--operator-port', String(operatorPort)]),
    ...['--api-processes', '0', '--shared-port', '--port', String(port)],
    ...['--roles', config.ROLES.filter((role) => !SINGLE_ROLES.includes(role)).join(',')],
  ]
}
