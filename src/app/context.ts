// What the parts of a server share.
import { readFileSync } from 'node:fs'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { FetchEnvironment } from '../verification/compilers/fetch-step.ts'
import type { Config } from './options.ts'

/** A command that runs until it is stopped. */
export type Running = {
  readonly lifecycle: Lifecycle
  readonly log: Log
  /** Something that everything else needs has ended: stops the rest, and the command fails with the cause. */
  readonly fail: (cause: Error) => void
  /** What npm and pip may know of the environment. */
  readonly fetchEnvironment: FetchEnvironment
}

export type ServerContext = Omit<Running, 'lifecycle'> & { readonly config: Config; readonly metrics: Metrics }

/** Of the program. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
