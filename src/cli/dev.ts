import { bannerOf, serverRows } from '../app/banner.ts'
import { devDefaults } from '../app/devnet-options.ts'
import { devnetGenesis, devnetRows, startDevnet } from '../app/devnet-part.ts'
import { refuseOtherClients, refuseUnusableFeed } from '../app/node-check.ts'
import type { Config } from '../app/options.ts'
import type { Command } from './command.ts'
import { deleteObserved, emptyIndex } from './resync.ts'
import { runUntilSignal } from './run-until-signal.ts'

export const dev: Command = {
  summary: 'Run everything on this machine, with a devnet unless RPC_URL is set (the same as npm start)',
  usage: 'dev',
  flags: { reset: { describe: 'Delete the devnet of earlier runs and its index' } },
  defaults: devDefaults,
  run: ({ flags, configuration: { settings, warnings }, print }) =>
    runUntilSignal(settings, async (running) => {
      for (const warning of warnings) running.log.warn(warning)
      if (settings.RPC_URL) {
        refuseUnusableFeed(settings)
        await refuseOtherClients(settings, running.log, running.lifecycle.signal)
        const { startServer } = await import('../app/server.ts')
        const server = await startServer({ config: settings, running, withDevKey: true })
        print(bannerOf(serverRows(settings, server)))
        return
      }
      const reset = flags.reset !== undefined
      // The server's code is loaded while the devnet starts in its thread.
      const [devnet, { startServer }, { devnetTokenList }] = await Promise.all([
        startDevnet(settings, running, { reset }),
        import('../app/server.ts'),
        import('../../devnet/token-list.ts'),
      ])
      if (reset) {
        await emptyIndex(settings)
        await deleteObserved(settings)
      }
      const hasFlashblocks = settings.DEVNET_FLASHBLOCK_MS > 0
      const config: Config = {
        ...settings,
        RPC_URL: [devnet.url],
        FLASHBLOCKS_ENABLED: hasFlashblocks,
        FLASHBLOCKS_URL: [devnet.feedUrl],
      }
      const server = await startServer({
        config,
        running,
        withDevKey: true,
        genesis: devnetGenesis({ ownRules: config.DEVNET_OWN_RULES }),
        tokenList: devnetTokenList(config.DEVNET_CHAIN_ID),
        moreFlags: [
          ...['--rpc-url', devnet.url],
          ...(hasFlashblocks ? ['--flashblocks-enabled', '--flashblocks-url', devnet.feedUrl] : []),
        ],
      })
      const verifies = config.ROLES.includes('verifier') && config.ROLES.includes('indexer')
      if (server.verification && verifies) {
        const { devnetContractsPart } = await import('../app/devnet-contracts.ts')
        await running.lifecycle.start(devnetContractsPart(server.verification, running.log))
      }
      print(bannerOf([...serverRows(config, server), ...devnetRows(config, devnet)]))
    }),
}
