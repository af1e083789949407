import { withDatabase } from '../app/database-part.ts'
import type { Config } from '../app/options.ts'
import { writeChain } from '../store/chain/write.ts'
import { deletePreconfirmations } from '../store/preconfirmations/write.ts'
import type { Command } from './command.ts'

export const resync: Command = {
  summary: 'Delete the index, so that the next start indexes the chain again (API keys stay)',
  usage: 'resync',
  run: async ({ configuration: { settings }, print }) => {
    const isEmpty = await emptyIndex(settings)
    print(
      isEmpty
        ? 'The index is deleted; the next start indexes the chain again.'
        : 'Another process is indexing into this database: stop it first.',
    )
    return isEmpty ? 'done' : 'failed'
  },
}

/** False when another process holds the writer lock. */
export function emptyIndex(config: Config): Promise<boolean> {
  return withDatabase(config, async (database) => {
    const writerLock = await database.acquireWriterLock()
    if (!writerLock) return false
    await writeChain(writerLock.database, { rewindTo: 0, blocks: [] })
    await writerLock.release()
    return true
  })
}

/** Deletes the preconfirmation records. Unlike the index they cannot be computed again, so only a reset of the devnet does this. */
export function deleteObserved(config: Config): Promise<void> {
  return withDatabase(config, deletePreconfirmations)
}
