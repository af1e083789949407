// What each word of a source is: for every line pairs of kind and length, in order, over the whole line. The words themselves
// are not in it, so whatever is shown is the source's own text.
export const WORD_KINDS = ['plain', 'comment', 'text', 'keyword', 'number', 'type', 'name'] as const

/** `[3, 8, 0, 1]`: eight characters of a keyword, one plain. */
export type LineShape = readonly number[]
export type SourceShape = readonly LineShape[]

/** Languages that sources are written in; Yul is read as the assembly of Solidity. */
export const highlightLanguages = ['solidity', 'vyper', 'json'] as const
export type HighlightLanguage = (typeof highlightLanguages)[number]

export function languageOfFile(path: string, compiled: string): HighlightLanguage {
  if (/\.(json|abi)$/i.test(path)) return 'json'
  return compiled === 'vyper' ? 'vyper' : 'solidity'
}
