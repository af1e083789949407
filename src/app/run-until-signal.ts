import { type ExitCode, exitCodes } from '../cli/exit-codes.ts'
import { createLifecycle, type Lifecycle } from '../lib/async/lifecycle.ts'
import { createLog, type Log } from '../lib/log.ts'
import type { Config } from './options.ts'

export type Running = {
  lifecycle: Lifecycle
  log: Log
  /** Something that everything stands on has ended: stops the rest and fails the command. */
  fail: (cause: Error) => void
}

/** Runs until Ctrl-C or SIGTERM, then stops everything in reverse order. A second signal ends the process at once. */
export async function runUntilSignal(config: Config, start: (parts: Running) => Promise<void>): Promise<ExitCode> {
  const lifecycle = createLifecycle()
  const log = createLog({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY === true })
  const { promise: signalled, resolve, reject: fail } = Promise.withResolvers<NodeJS.Signals>()
  let signals = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1
    if (signals > 1) process.exit(exitCodes.forced.code)
    resolve(signal)
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  // One of several API processes ends with the process that started it. Not counted: a terminal's Ctrl-C goes to both.
  const onDisconnect = () => resolve('SIGTERM')
  process.once('disconnect', onDisconnect)
  try {
    await Promise.race([start({ lifecycle, log, fail }), signalled])
    log.info({ signal: await signalled }, 'stopping')
    const failed = await lifecycle.stop()
    if (failed.length > 0) log.warn({ parts: failed }, 'did not stop in time')
    return failed.length > 0 ? 'failed' : 'done'
  } catch (error) {
    await lifecycle.stop()
    throw error
  } finally {
    // A listener for it keeps the channel to the parent open, and the process alive.
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('disconnect', onDisconnect)
  }
}
