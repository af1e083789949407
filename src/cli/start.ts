import { bannerOf, serverRows } from '../app/banner.ts'
import { refuseOtherClients, refuseUnusableFeed } from '../app/node-check.ts'
import type { Config } from '../app/options.ts'
import { onFallback } from '../chain/bytes/secp256k1.ts'
import { ConfigError } from '../lib/config/config.ts'
import type { Command } from './command.ts'
import { runUntilSignal } from './run-until-signal.ts'

// Imported when it runs: other commands do not need the server's code.
export const start: Command = {
  summary: 'Run as a service for the chain of a node',
  usage: 'start',
  run: ({ configuration: { settings, warnings }, print }) => {
    refuseUnusable(settings)
    return runUntilSignal(settings, async (running) => {
      for (const warning of warnings) running.log.warn(warning)
      onFallback((error) =>
        running.log.warn({ error }, 'the native secp256k1 does not load: signatures take 25 times as long'),
      )
      await refuseOtherClients(settings, running.log, running.lifecycle.signal)
      const { startServer } = await import('../app/server.ts')
      const server = await startServer({ config: settings, running, withDevKey: false })
      print(bannerOf(serverRows(settings, server)))
    })
  },
}

function refuseUnusable(config: Config): void {
  if (config.RPC_URL === undefined) {
    throw new ConfigError('RPC_URL is not set: `start` needs a node; `firstlight dev` has its own chain')
  }
  refuseUnusableFeed(config)
}
