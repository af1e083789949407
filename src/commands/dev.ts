import { bannerOf } from './banner.ts'
import type { Command } from './command.ts'
import { devDefaults } from './options.ts'
import { runUntilSignal } from './run-until-signal.ts'
import { startServer } from './server.ts'

export const dev: Command = {
  summary: 'Run everything on this machine, with a development key (the same as npm start)',
  usage: 'dev',
  defaults: devDefaults,
  run: ({ configuration: { settings, warnings }, print }) =>
    runUntilSignal(settings, async ({ lifecycle, log }) => {
      for (const warning of warnings) log.warn(warning)
      print(bannerOf(settings, await startServer({ config: settings, log, lifecycle, withDevKey: true })))
    }),
}
