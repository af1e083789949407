import { bannerOf } from '../app/banner.ts'
import { devChainRows, startDevChain } from '../app/dev-chain.ts'
import { devDefaults } from '../app/options.ts'
import { runUntilSignal } from '../app/run-until-signal.ts'
import type { Command } from './command.ts'

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
