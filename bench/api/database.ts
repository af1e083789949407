// The chain of chain.ts in a SQLite file that later runs find again.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeChain, writeTagHeights } from '../../src/store/chain/write.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { migrate, SchemaMismatch } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { BLOCKS, blockRowsAt } from './chain.ts'

const BLOCKS_A_COMMIT = 100

/** The data folder; it is built again when the chain changed, or when the schema changed without a migration. */
export async function preparedFolder(): Promise<string> {
  const chain = readFileSync(fileURLToPath(new URL('./chain.ts', import.meta.url)))
  const folder = join(tmpdir(), `firstlight-bench-api-${createHash('sha256').update(chain).digest('hex').slice(0, 12)}`)
  const done = join(folder, 'done')
  if (existsSync(done) && (await isRewound(folder))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  await inDatabase(folder, async (database) => {
    const startedMs = Date.now()
    await migrate(database, 0)
    for (let from = 0; from < BLOCKS; from += BLOCKS_A_COMMIT) {
      await writeChain(database, { blocks: Array.from({ length: BLOCKS_A_COMMIT }, (_, i) => blockRowsAt(from + i)) })
    }
    await writeTagHeights(database, { safe: BLOCKS - 20, finalized: BLOCKS - 60 })
    console.log(`${BLOCKS} blocks laid into ${folder} in ${Math.round((Date.now() - startedMs) / 1000)} s`)
  })
  writeFileSync(done, '')
  return folder
}

/** Deletes the blocks that an earlier run wrote. */
function isRewound(folder: string): Promise<boolean> {
  return inDatabase(folder, async (database) => {
    try {
      await migrate(database, 0)
    } catch (error) {
      if (error instanceof SchemaMismatch) return false
      throw error
    }
    await writeChain(database, { rewindTo: BLOCKS, blocks: [] })
    return true
  })
}

async function inDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
