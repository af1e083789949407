import { bannerOf } from '../app/banner.ts'
import { devDefaults } from '../app/devnet-options.ts'
import { devnetRows, startDevnet } from '../app/devnet-part.ts'
import type { Command } from './command.ts'
import { runUntilSignal } from './run-until-signal.ts'

export const devnet: Command = {
  summary: 'Run only the embedded development chain',
  usage: 'devnet',
  flags: { reset: { describe: 'Delete the chain of earlier runs' } },
  defaults: devDefaults,
  run: ({ flags, configuration: { settings, warnings }, print }) =>
    runUntilSignal(settings, async (running) => {
      for (const warning of warnings) running.log.warn(warning)
      const addresses = await startDevnet(settings, running, { reset: flags.reset !== undefined })
      print(bannerOf(devnetRows(settings, addresses)))
    }),
}
