import { bannerOf, serverRows } from './banner.ts'
import type { Command } from './command.ts'
import { devChainRows, devnetGenesis, startDevChain } from './dev-chain.ts'
import { type Config, devDefaults } from './options.ts'
import { emptyIndex, forgetObserved } from './resync.ts'
import { refuseOtherClients, refuseUnusableFeed } from './rpc-type.ts'
import { runUntilSignal } from './run-until-signal.ts'

export const dev: Command = {
  summary: 'Run everything on this machine, on a devnet unless RPC_URL is set (the same as npm start)',
  usage: 'dev',
  flags: { reset: { describe: 'Forget the devnet of earlier runs, and what was indexed of it' } },
  defaults: devDefaults,
  run: ({ flags, configuration: { settings, warnings }, print }) =>
    runUntilSignal(settings, async (running) => {
      for (const warning of warnings) running.log.warn(warning)
      if (settings.RPC_URL) {
        refuseUnusableFeed(settings)
        await refuseOtherClients(settings, running.log, running.lifecycle.signal)
        const { startServer } = await import('./server.ts')
        const server = await startServer({ config: settings, running, withDevKey: true })
        print(bannerOf(serverRows(settings, server)))
        return
      }
      const reset = flags.reset !== undefined
      // The server is loaded while the devnet starts in its thread.
      const [devnet, { startServer }, { devnetTokenList }] = await Promise.all([
        startDevChain(settings, running, { reset }),
        import('./server.ts'),
        import('../devnet/token-list.ts'),
      ])
      if (reset) {
        await emptyIndex(settings)
        await forgetObserved(settings)
      }
      const config: Config = {
        ...settings,
        RPC_URL: [devnet.url],
        FLASHBLOCKS_ENABLED: true,
        FLASHBLOCKS_URL: [devnet.feedUrl],
      }
      const server = await startServer({
        config,
        running,
        withDevKey: true,
        genesis: devnetGenesis(),
        tokenList: devnetTokenList(config.DEVNET_CHAIN_ID),
        moreFlags: ['--rpc-url', devnet.url, '--flashblocks-enabled', '--flashblocks-url', devnet.feedUrl],
      })
      const verifies = config.ROLES.includes('verifier') && config.ROLES.includes('indexer')
      if (server.verification && verifies) {
        const { startDevContracts } = await import('./dev-contracts.ts')
        await startDevContracts(server.verification, running)
      }
      print(bannerOf([...serverRows(config, server), ...devChainRows(config, devnet)]))
    }),
}
