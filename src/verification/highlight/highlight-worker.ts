// The worker that makes the shapes of source files, one file at a time.
import { parentPort } from 'node:worker_threads'
import { createHighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguages } from 'shiki/langs'
import type { HighlightLanguage, SourceShape } from './shape.ts'
import { highlightLanguages, WORD_KINDS } from './shape.ts'

export type HighlightTask = { readonly id: number; readonly language: HighlightLanguage; readonly source: string }
/** `loaded` once all grammars are there, then one answer for each task. */
export type HighlightAnswer = 'loaded' | { readonly id: number; readonly shape: SourceShape | null }

/** A longer line is left plain: nobody reads it, and the grammars are slow on it. */
const MAX_LINE_CHARS = 2_000

/** Shiki gives colours, so each kind has a colour of its own from which it is read back. */
function colourOf(kind: (typeof WORD_KINDS)[number]): string {
  return `#00000${WORD_KINDS.indexOf(kind)}`
}

const scopes: readonly (readonly [kind: (typeof WORD_KINDS)[number], scopes: readonly string[]])[] = [
  ['comment', ['comment', 'punctuation.definition.comment', 'string.quoted.docstring']],
  ['text', ['string']],
  ['keyword', ['keyword', 'storage', 'constant.language', 'variable.language']],
  ['plain', ['keyword.operator', 'punctuation']],
  ['number', ['constant.numeric', 'support.type.property-name']],
  ['type', ['entity.name.type', 'support.type', 'storage.type.primitive', 'support.class', 'entity.name.class']],
  ['name', ['entity.name.function', 'support.function', 'meta.function-call.generic']],
]

const theme = {
  name: 'kinds',
  type: 'light' as const,
  fg: colourOf('plain'),
  bg: '#ffffff',
  settings: scopes.map(([kind, scope]) => ({ scope: [...scope], settings: { foreground: colourOf(kind) } })),
}

const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: highlightLanguages.map((language) => bundledLanguages[language]),
  engine: createOnigurumaEngine(import('shiki/wasm')),
})

function shapeOf({ language, source }: HighlightTask): SourceShape {
  return highlighter
    .codeToTokensBase(source, { lang: language, theme: 'kinds', tokenizeMaxLineLength: MAX_LINE_CHARS })
    .map((line) => {
      const shape: number[] = []
      for (const { content, color = '' } of line) {
        const kind = Number(color.at(-1) ?? 0) || 0
        // Neighbours of the same kind become one word.
        if (shape.at(-2) === kind) shape[shape.length - 1]! += content.length
        else shape.push(kind, content.length)
      }
      return shape
    })
}

parentPort!.postMessage('loaded' satisfies HighlightAnswer)
parentPort!.on('message', (task: HighlightTask) => {
  let shape: SourceShape | null = null
  try {
    shape = shapeOf(task)
  } catch {
    // The grammar cannot parse this source: it is shown without highlighting.
  }
  parentPort!.postMessage({ id: task.id, shape } satisfies HighlightAnswer)
})
