import { migrate } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import { forgetPreconfirmations } from '../store/preconfirmations.ts'
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
    const pen = await database.becomeWriter()
    if (!pen) return false
    await writeChain(pen.database, { rewindTo: 0, blocks: [] })
    await pen.release()
    return true
  } finally {
    await database.close()
  }
}

/** What was observed of a chain that is not there any more; unlike the index it cannot be had again. */
export const forgetObserved = async (config: Config): Promise<void> => {
  const database = await openDatabase({ url: config.DATABASE_URL, dataDir: config.DATA_DIR, onIdleError: () => {} })
  try {
    await migrate(database, Date.now())
    await forgetPreconfirmations(database)
  } finally {
    await database.close()
  }
}
