import type { Command } from './command.ts'
import { devDefaults } from './options.ts'

export const devnet: Command = {
  summary: 'Run the embedded development chain alone',
  usage: 'devnet',
  defaults: devDefaults,
  run: async ({ print }) => {
    print('The devnet is not part of this version yet.')
    return 'failed'
  },
}
