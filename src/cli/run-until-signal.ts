// Runs a server or a devnet from its start until a signal ends it.
import { homedir } from 'node:os'
import type { Running } from '../app/context.ts'
import type { Config } from '../app/options.ts'
import { createLifecycle } from '../lib/async/lifecycle.ts'
import { createLog, credentialsIn } from '../lib/log.ts'
import { fetchEnvironmentFrom } from '../verification/compilers/fetch-step.ts'
import { type ExitCode, exitCodes } from './command.ts'

/** Runs until Ctrl-C or SIGTERM, then stops all parts in reverse order. A second signal ends the process immediately. */
export async function runUntilSignal(config: Config, start: (running: Running) => Promise<void>): Promise<ExitCode> {
  const lifecycle = createLifecycle()
  const log = createLog({ level: config.LOG_LEVEL, pretty: process.stdout.isTTY === true, hidden: secretsOf(config) })
  const { promise: signalled, resolve, reject: fail } = Promise.withResolvers<NodeJS.Signals>()
  let signals = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1
    if (signals > 1) process.exit(exitCodes.forced.code)
    resolve(signal)
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  // An API process ends with the process that started it. This does not count as a signal: Ctrl-C in a terminal reaches both.
  const onDisconnect = () => resolve('SIGTERM')
  process.once('disconnect', onDisconnect)
  try {
    const fetchEnvironment = fetchEnvironmentFrom(process.env, homedir())
    await Promise.race([start({ lifecycle, log, fail, fetchEnvironment }), signalled])
    log.info({ signal: await signalled }, 'stopping')
    const failed = await lifecycle.stop()
    if (failed.length > 0) log.warn({ parts: failed }, 'these parts did not stop in time')
    return failed.length > 0 ? 'failed' : 'done'
  } catch (error) {
    await lifecycle.stop()
    throw error
  } finally {
    // A listener for `disconnect` keeps the channel to the parent open, and with it the process alive.
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('disconnect', onDisconnect)
  }
}

/** Tokens, and the credentials in the URLs of all settings. */
function secretsOf(config: Config): string[] {
  const tokens = [config.KEYS_SECRET, config.OPERATOR_TOKEN].filter((token) => token !== undefined)
  return [
    ...tokens,
    ...Object.values(config)
      .flat()
      .flatMap((value) => credentialsIn(String(value))),
  ]
}
