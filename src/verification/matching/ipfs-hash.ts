// The hash by which IPFS names a small file, and its text form.
import { createHash } from 'node:crypto'

/** IPFS cuts larger files into chunks. The metadata of a contract is never that large in practice. */
const MAX_BYTES = 262_144
const SHA2_256 = [0x12, 0x20]

/**
 * The multihash, 34 bytes, as the `ipfs` entry of code metadata has it: SHA-256 over one dag-pb node around one UnixFS file node.
 * Undefined for a file of more than one chunk.
 */
export function ipfsHash(content: Uint8Array): Uint8Array | undefined {
  if (content.length > MAX_BYTES) return undefined
  const size = varint(content.length)
  // UnixFS: field 1 is the type (2, a file), field 2 the bytes, field 3 their number. An empty file has no field 2.
  const body = content.length > 0 ? [0x12, ...size] : []
  const file = Buffer.concat([Uint8Array.of(0x08, 0x02, ...body), content, Uint8Array.of(0x18, ...size)])
  const node = Buffer.concat([Uint8Array.of(0x0a, ...varint(file.length)), file])
  return Buffer.concat([Uint8Array.from(SHA2_256), createHash('sha256').update(node).digest()])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return [...bytes, rest]
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function base58(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let text = ''
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  return '1'.repeat(zeros) + text
}
