import { migrate } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import { writeChain } from '../store/write.ts'
import type { Command } from './command.ts'
import type { Config } from './options.ts'

export const resync: Command = {
  summary: 'Forget the indexed chain, so that the next start indexes it anew (keys are kept)',
  usage: 'resync',
  run: async ({ configuration: { settings }, print }) => {
    const isEmpty = await emptyIndex(settings)
    print(
      isEmpty
        ? 'The index is empty; the next start fills it again.'
        : 'Another process is indexing into this database: stop it first.',
    )
    return isEmpty ? 'done' : 'failed'
  },
}

/** False when another process holds the pen. */
export const emptyIndex = async (config: Config): Promise<boolean> => {
  const database = await openDatabase({ url: config.DATABASE_URL, dataDir: config.DATA_DIR, onIdleError: () => {} })
  try {
    await migrate(database, Date.now())
    const release = await database.becomeWriter()
    if (!release) return false
    await writeChain(database, { rewindTo: 0, blocks: [] })
    await release()
    return true
  } finally {
    await database.close()
  }
}
