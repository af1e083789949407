import { bannerOf } from './banner.ts'
import type { Command } from './command.ts'
import { devChainRows, startDevChain } from './dev-chain.ts'
import { devDefaults } from './options.ts'
import { runUntilSignal } from './run-until-signal.ts'

export const devnet: Command = {
  summary: 'Run the embedded development chain alone',
  usage: 'devnet',
  flags: { reset: { describe: 'Forget the chain of earlier runs' } },
  defaults: devDefaults,
  run: ({ flags, configuration: { settings, warnings }, print }) =>
    runUntilSignal(settings, async (running) => {
      for (const warning of warnings) running.log.warn(warning)
      const addresses = await startDevChain(settings, running, { reset: flags.reset !== undefined })
      print(bannerOf(devChainRows(settings, addresses)))
    }),
}
