// The shape of a source file: what each word of it is, for highlighting. Every line is pairs of kind and length, in order, over the
// whole line. The words themselves are not in it, so a page always shows the text of the source.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'

export const WORD_KINDS = ['plain', 'comment', 'text', 'keyword', 'number', 'type', 'name'] as const

/** `[3, 8, 0, 1]`: eight characters of a keyword, one plain. */
export type LineShape = readonly number[]
export type SourceShape = readonly LineShape[]

/** The grammars. Yul is highlighted as the assembly of Solidity. */
export const highlightLanguages = ['solidity', 'vyper', 'json'] as const
export type HighlightLanguage = (typeof highlightLanguages)[number]

/** A shape is stored under the hash of the file's text and its language. */
export type ShapeKey = { readonly contentHash: Hex; readonly language: HighlightLanguage }

export function shapeKey(path: string, content: string, sourceLanguage: string): ShapeKey {
  return { contentHash: bytesToHex(keccak256(Buffer.from(content))), language: languageOfFile(path, sourceLanguage) }
}

function languageOfFile(path: string, sourceLanguage: string): HighlightLanguage {
  if (/\.(json|abi)$/i.test(path)) return 'json'
  return sourceLanguage === 'vyper' ? 'vyper' : 'solidity'
}
