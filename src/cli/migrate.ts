import { withDatabase } from '../app/database-part.ts'
import type { Command, ExitCode } from './command.ts'

export const migrate: Command = {
  summary: 'Bring the database to the schema of this version (start does this too)',
  usage: 'migrate',
  run: ({ configuration: { settings }, print }) =>
    withDatabase(settings, async (_database, migrations): Promise<ExitCode> => {
      for (const name of migrations) print(`applied ${name}`)
      if (migrations.length === 0) print('the schema is up to date')
      return 'done'
    }),
}
