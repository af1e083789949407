// Which bytes of compiled code are metadata, shown and not guessed: the same sources with a blank line more make the same code
// but another metadata hash. A constant of the source that only looks like metadata stays as it is.
import { equalBytes } from '../../chain/bytes/hex.ts'
import type { StandardInput } from '../input/standard-input.ts'
import { type ByteRange, metadataWithin } from './code-metadata.ts'

export function alteredInput(input: StandardInput): StandardInput {
  return {
    ...input,
    sources: Object.fromEntries(
      Object.entries(input.sources).map(([file, { content }]) => [file, { content: `${content}\n` }]),
    ),
  }
}

export function provenMetadata(code: Uint8Array, altered: Uint8Array): readonly ByteRange[] {
  if (code.length !== altered.length) return []
  return metadataWithin(code).filter(
    ({ start, end }) => !equalBytes(code.subarray(start, end), altered.subarray(start, end)),
  )
}
