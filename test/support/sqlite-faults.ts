// What can happen to the SQLite file of a server. Each fault begins, must show in /ready, and ends.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StorageFault } from './postgres-faults.ts'
import type { Ready } from './server-under-faults.ts'
import type { SmallDisk } from './small-disk.ts'

const CHATTR = '/usr/bin/chattr'

export function fullDiskOfSqlite(disk: SmallDisk): StorageFault {
  return { name: 'SQLite disk full', begin: disk.fill, end: disk.free, isNoticed: says(/full/) }
}

export function sqliteFaults(folder: string): StorageFault[] {
  const file = join(folder, 'firstlight.sqlite')
  return [lockedFile(file), ...(canLoseRights(folder) ? [readOnlyFile(file)] : [])]
}

function says(words: RegExp): StorageFault['isNoticed'] {
  return ({ ready, reasons }: Ready) => !ready && words.test(reasons.join())
}

/** Another process has a transaction open that writes, and forgets to end it. */
function lockedFile(file: string): StorageFault {
  let other: DatabaseSync
  return {
    name: 'SQLite file locked',
    begin: () => {
      other = new DatabaseSync(file)
      other.exec('pragma busy_timeout = 10000')
      other.exec('begin immediate')
    },
    end: () => {
      other.exec('rollback')
      other.close()
    },
    isNoticed: says(/locked the SQLite file/),
  }
}

/** Whether a file can be made one that nobody may write to, not even who has it open. It takes root and ext4, among others. */
function canLoseRights(folder: string): boolean {
  const file = join(folder, 'may-be-written')
  const descriptor = openSync(file, 'w')
  try {
    execFileSync(CHATTR, ['+i', file], { stdio: 'ignore' })
    writeSync(descriptor, 'written')
  } catch (error) {
    if ((error as { code?: string }).code === 'EPERM') return true
  } finally {
    execFileSync('sh', ['-c', `${CHATTR} -i '${file}' 2>/dev/null; rm -f '${file}'`])
    closeSync(descriptor)
  }
  console.log('the file system here cannot take away the right to write: no file is made read-only')
  return false
}

/** Nobody may write to the files any more, not even who has them open. */
function readOnlyFile(file: string): StorageFault {
  const files = [file, `${file}-wal`]
  return {
    name: 'SQLite file read-only',
    begin: () => void execFileSync(CHATTR, ['+i', ...files]),
    end: () => void execFileSync(CHATTR, ['-i', ...files]),
    isNoticed: says(/SQLite/),
  }
}
