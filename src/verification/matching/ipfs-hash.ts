// The hash by which IPFS knows a small file: SHA-256 over one dag-pb node around one UnixFS file node.
import { createHash } from 'node:crypto'

/** Larger files are cut into chunks, and no contract's metadata is that large in practice. */
const MAX_BYTES = 262_144
const SHA2_256 = [0x12, 0x20]

/** The multihash, 34 bytes, as the `ipfs` entry of code metadata holds it; null for a file of more than one chunk. */
export function ipfsHash(content: Uint8Array): Uint8Array | null {
  if (content.length > MAX_BYTES) return null
  const size = varint(content.length)
  // UnixFS: field 1 the type (2, a file), field 2 the bytes, field 3 their number. An empty file has no field 2.
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
