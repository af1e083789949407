// Has a snapshot written every so many blocks, one at a time.
import type { Log } from '../../src/lib/log.ts'
import type { RecordLog } from './record-log.ts'
import { writeSnapshot } from './snapshot.ts'
import type { StateHistory } from './state-history.ts'

export const SNAPSHOT_BLOCKS = 1_000

export type Snapshots = {
  headMoved(number: number): void
  /** Waits for the one being written. */
  close(): Promise<void>
}

export function createSnapshots(deps: {
  /** Null: there is nothing to write. */
  folder: string | null
  records: RecordLog
  history: StateHistory
  log: Log
}): Snapshots {
  const { folder, records, history, log } = deps
  let writing: Promise<void> | null = null
  return {
    headMoved(number) {
      if (folder === null || writing !== null || number % SNAPSHOT_BLOCKS !== 0) return
      writing = writeSnapshot(folder, { number, state: history.latest, log: records })
        // The chain is whole without it: a restart reads more of the log.
        .catch((error) => log.error({ error }, 'no snapshot of the devnet state could be written'))
        .finally(() => {
          writing = null
        })
    },
    async close() {
      await writing
    },
  }
}
