// A subscriber that only counts bytes, so that thousands of them fit beside the server on one machine.
import { connect, type Socket } from 'node:net'
import { clock } from './protocol.ts'

export type Reader = {
  socket: Socket
  /** Bytes so far and when they had come, one pair for each read. */
  reads: { bytes: number; atMs: number }[]
}

const READ_BYTES = 65_536
/** Shared by all readers: nobody reads its content. */
const buffer = Buffer.allocUnsafe(READ_BYTES)

const REQUEST = [
  'GET /flashblocks HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  '\r\n',
].join('\r\n')

/** Resolves with the reader when its handshake is done. */
export function connectReader(port: number): Promise<Reader> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    let bytes = 0
    const onBytes = (count: number): boolean => {
      if (isOpen) {
        bytes += count
        reader.reads.push({ bytes, atMs: clock() })
        return true
      }
      const answer = buffer.toString('latin1', 0, count)
      if (!answer.startsWith('HTTP/1.1 101') || !answer.endsWith('\r\n\r\n')) reject(new Error(answer))
      isOpen = true
      resolve(reader)
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: onBytes } })
    const reader: Reader = { socket, reads: [] }
    socket.on('error', reject)
    socket.write(REQUEST)
  })
}

/** The time when each message was complete; the list is shorter where some never arrived. */
export function arrivals({ reads }: Reader, frameBytes: readonly number[]): number[] {
  const times: number[] = []
  let end = 0
  let read = 0
  for (const bytes of frameBytes) {
    end += bytes
    while (read < reads.length && reads[read]!.bytes < end) read++
    if (read === reads.length) break
    times.push(reads[read]!.atMs)
  }
  return times
}
