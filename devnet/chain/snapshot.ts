// The newest state in a file, so that a restart need not read the whole log. It is written piece by piece while the chain continues, so
// its pieces are of different moments. The log contains values and not differences: applying it to the snapshot, from the position where
// the snapshot was begun, makes the state right once it has passed the position where the snapshot was finished.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { EMPTY_BYTES } from '../../src/chain/bytes/hex.ts'
import { decodeRlpList, encodeRlp } from '../../src/chain/bytes/rlp.ts'
import { numberField } from '../../src/chain/bytes/rlp-fields.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import type { StateChanges } from '../../src/evm/state/state-source.ts'
import type { Log } from '../../src/lib/log.ts'
import { decodeChanges, encodeChanges, type MutableChanges, noChanges } from './changes.ts'
import { followRecordLog, openRecordLog, type RecordLog } from './record-log.ts'

import type { StateHistory } from './state-history.ts'

export type SnapshotFile = {
  readonly file: string /** Position in the log from which to read on. */
  readonly from: number
}

export type Snapshot = {
  readonly state: MemoryState
  readonly from: number
  /** Height of the head at `from`. */
  readonly number: number
  /** From this position of the log on, the state is of one moment. */
  readonly wholeFrom: number
}

/** Newest first. */
export function snapshotsIn(folder: string): SnapshotFile[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const match = NAME.exec(name)
      return match === null ? [] : [{ file: join(folder, name), from: Number(match[1]) }]
    })
    .sort((a, b) => b.from - a.from)
}

/** `number` is the height of the head. */
export async function writeSnapshot(
  folder: string,
  { number, state, log }: { number: number; state: MemoryState; log: RecordLog },
): Promise<void> {
  const from = log.end
  const unfinished = join(folder, 'snapshot.unfinished')
  rmSync(unfinished, { force: true })
  const pieces = openRecordLog(unfinished)
  try {
    for (const piece of piecesOf(state)) {
      pieces.append(EMPTY_BYTES, encodeChanges(piece))
      await nextRound()
    }
    pieces.append(encodeRlp([log.end, number]), EMPTY_BYTES)
  } finally {
    pieces.close()
  }
  // The folder may have been deleted meanwhile.
  if (!existsSync(unfinished)) return
  renameSync(unfinished, join(folder, `snapshot-${from}`))
  for (const { file } of snapshotsIn(folder).slice(STORED_SNAPSHOTS)) rmSync(file)
}

export function readSnapshot({ file, from }: SnapshotFile): Snapshot {
  const state = new MemoryState()
  const pieces = followRecordLog(file)
  try {
    for (const { head, position } of pieces.records(0)) {
      if (head.length === 0) state.apply(decodeChanges(pieces.bodyAt(position)))
      else return { state, from, ...decodeEnd(head) }
    }
  } finally {
    pieces.close()
  }
  throw new Error(`${file} has no end`)
}

function decodeEnd(head: Uint8Array): Pick<Snapshot, 'wholeFrom' | 'number'> {
  const [wholeFrom, number] = decodeRlpList(head)
  return { wholeFrom: numberField(wholeFrom, 'wholeFrom'), number: numberField(number, 'number') }
}

/** The newest snapshot may be too young to rebuild the state history; then the one before it is used. */
const STORED_SNAPSHOTS = 2
const NAME = /^snapshot-(\d+)$/
const PIECE_ENTRIES = 1_000

function* piecesOf(state: MemoryState): Generator<StateChanges> {
  let piece = noChanges()
  let count = 0
  for (const putInto of entriesOf(state)) {
    putInto(piece)
    if (++count % PIECE_ENTRIES !== 0) continue
    yield piece
    piece = noChanges()
  }
  yield piece
}

function* entriesOf({ accounts, slots, codes }: MemoryState): Generator<(piece: MutableChanges) => void> {
  for (const [hash, code] of codes) yield (piece) => piece.codes.set(hash, code)
  for (const [address, account] of accounts) yield (piece) => piece.accounts.set(address, account)
  for (const [address, values] of slots) {
    for (const [slot, value] of values) {
      yield (piece) => {
        const known = piece.slots.get(address) ?? new Map<bigint, bigint>()
        piece.slots.set(address, known.set(slot, value))
      }
    }
  }
}

export const SNAPSHOT_BLOCKS = 1_000

export type Snapshots = {
  headMoved(number: number): void
  /** Waits for the snapshot in progress. */
  close(): Promise<void>
}

export function createSnapshots(deps: {
  /** Null writes nothing. */
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
        // The chain is complete without it; a restart only reads more of the log.
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
