import { migrate as applyMigrations } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import type { Command } from './command.ts'

export const migrate: Command = {
  summary: 'Bring the database to this version’s schema (start does so by itself)',
  usage: 'migrate',
  run: async ({ configuration: { settings }, print }) => {
    const database = await openDatabase({
      url: settings.DATABASE_URL,
      dataDir: settings.DATA_DIR,
      onIdleError: () => {},
    })
    try {
      const applied = await applyMigrations(database, Date.now())
      for (const name of applied) print(`applied ${name}`)
      if (applied.length === 0) print('nothing to do: the schema is up to date')
      return 'done'
    } finally {
      await database.close()
    }
  },
}
