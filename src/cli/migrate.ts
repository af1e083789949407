import { withDatabase } from '../app/database-part.ts'
import type { Command } from './command.ts'
import type { ExitCode } from './exit-codes.ts'

export const migrate: Command = {
  summary: 'Bring the database to this version’s schema (start does so by itself)',
  usage: 'migrate',
  run: ({ configuration: { settings }, print }) =>
    withDatabase(settings, async (_database, migrations): Promise<ExitCode> => {
      for (const name of migrations) print(`applied ${name}`)
      if (migrations.length === 0) print('nothing to do: the schema is up to date')
      return 'done'
    }),
}
