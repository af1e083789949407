// An append-only file of records, each a short head and a long body under checksums, written with one call. A record that was cut short
// is always the last one. Positions are byte offsets.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

export type RecordLog = {
  /** Where the next record will begin. */
  readonly end: number
  /** Returns the position of the new record. */
  append(head: Uint8Array, body: Uint8Array): number
  /** Throws `DamagedRecord` where the checksum is wrong. */
  bodyAt(position: number): Uint8Array
  /** Every complete record from `position` on. The iteration ends at the first record that is damaged or cut short. */
  records(position: number): Iterable<LogRecord>
  /** Removes a last record that was cut short and returns its bytes. Throws `DamagedRecord` if more than that is wrong. */
  cutTornTail(): number
  close(): void
}

export type LogRecord = { readonly position: number; readonly next: number; readonly head: Uint8Array }

export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord'
}

export function openRecordLog(file: string): RecordLog {
  const descriptor = openSync(file, 'a+', 0o600)
  const write = (record: Uint8Array): void => {
    for (let written = 0; written < record.length; ) {
      written += writeSync(descriptor, record, written, record.length - written)
    }
  }
  return recordLog(descriptor, fstatSync(descriptor).size, write)
}

/** The first `end` bytes of a log that another thread writes. A record that is appended here was written there. */
export function followRecordLog(file: string, end?: number): RecordLog {
  const descriptor = openSync(file, 'r')
  return recordLog(descriptor, end ?? fstatSync(descriptor).size, () => undefined)
}

function recordLog(descriptor: number, size: number, write: (record: Uint8Array) => void): RecordLog {
  let end = size

  const read = (position: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    const count = readSync(descriptor, bytes, 0, length, position)
    if (count !== length) throw new DamagedRecord(`record ends early at ${position}`)
    return bytes
  }

  return {
    get end() {
      return end
    },
    append(head, body) {
      const record = frame(head, body)
      write(record)
      const position = end
      end += record.length
      return position
    },
    bodyAt(position) {
      const { headLength, bodyLength, bodyCrc } = readPrefix(read(position, PREFIX_BYTES))
      const body = read(position + PREFIX_BYTES + headLength, bodyLength)
      if (checksum(body) !== bodyCrc) throw new DamagedRecord(`checksum of the record at ${position} is wrong`)
      return body
    },
    *records(position) {
      for (let at = position; at + PREFIX_BYTES <= end; ) {
        const prefix = readPrefix(read(at, PREFIX_BYTES))
        const next = at + lengthOf(prefix)
        if (next > end) return
        const head = read(at + PREFIX_BYTES, prefix.headLength)
        if (checksum(head) !== prefix.headCrc) return
        yield { position: at, next, head }
        at = next
      }
    },
    cutTornTail() {
      const whole = endOfWhole(this)
      const torn = end - whole
      if (torn === 0) return 0
      const isLast = torn < PREFIX_BYTES || lengthOf(readPrefix(read(whole, PREFIX_BYTES))) >= torn
      if (!isLast && read(whole, torn).some((byte) => byte !== 0)) {
        throw new DamagedRecord(`the record at ${whole} is wrong, and is not the last`)
      }
      ftruncateSync(descriptor, whole)
      end = whole
      return torn
    },
    close: () => closeSync(descriptor),
  }
}

/** The same log in memory, for chains that are not stored. */
export function createMemoryLog(): RecordLog {
  const records: { head: Uint8Array; body: Uint8Array }[] = []
  return {
    get end() {
      return records.length
    },
    append: (head, body) => records.push({ head, body }) - 1,
    bodyAt: (position) => records[position]!.body,
    records: (position) =>
      records.slice(position).map(({ head }, i) => ({ position: position + i, next: position + i + 1, head })),
    cutTornTail: () => 0,
    close: () => undefined,
  }
}

const PREFIX_BYTES = 16

/** Never zero: a file that ends in zeros, as after a power failure, must not look as if it ended in empty records. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes, 1)
}

function frame(head: Uint8Array, body: Uint8Array): Uint8Array {
  const record = new Uint8Array(PREFIX_BYTES + head.length + body.length)
  const view = new DataView(record.buffer)
  view.setUint32(0, head.length)
  view.setUint32(4, body.length)
  view.setUint32(8, checksum(head))
  view.setUint32(12, checksum(body))
  record.set(head, PREFIX_BYTES)
  record.set(body, PREFIX_BYTES + head.length)
  return record
}

type Prefix = ReturnType<typeof readPrefix>

function lengthOf({ headLength, bodyLength }: Prefix): number {
  return PREFIX_BYTES + headLength + bodyLength
}

function readPrefix({ buffer }: Uint8Array) {
  const view = new DataView(buffer)
  return {
    headLength: view.getUint32(0),
    bodyLength: view.getUint32(4),
    headCrc: view.getUint32(8),
    bodyCrc: view.getUint32(12),
  }
}

function endOfWhole(log: RecordLog): number {
  let last: LogRecord | null = null
  for (const record of log.records(0)) last = record
  if (last === null) return 0
  try {
    log.bodyAt(last.position)
    return last.next
  } catch (error) {
    if (error instanceof DamagedRecord) return last.position
    throw error
  }
}
