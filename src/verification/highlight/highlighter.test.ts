import { afterAll, expect, test, vi } from 'vitest'
import { createHighlighter } from './highlighter.ts'
import { type HighlightLanguage, type SourceShape, WORD_KINDS } from './shape.ts'

const highlighter = createHighlighter()
afterAll(() => highlighter.stop())

/** Loading the grammars takes long on a busy machine. */
const TIMEOUT_MS = 120_000
vi.setConfig({ testTimeout: TIMEOUT_MS })
function timeout() {
  return AbortSignal.timeout(TIMEOUT_MS)
}

function wordsOf(source: string, shape: SourceShape): string[] {
  return source.split('\n').flatMap((line, i) => {
    let at = 0
    const words: string[] = []
    for (let pair = 0; pair < shape[i]!.length; pair += 2) {
      const text = line.slice(at, at + shape[i]![pair + 1]!)
      at += text.length
      words.push(`${WORD_KINDS[shape[i]![pair]!]}:${text}`)
    }
    expect(at).toBe(line.length)
    return words
  })
}

async function shaped(language: HighlightLanguage, source: string): Promise<string[]> {
  return wordsOf(source, (await highlighter.shapeOf(language, source, timeout()))!)
}

test('a shape distinguishes comments, texts, keywords and numbers and covers every character of every line', async () => {
  const words = await shaped('solidity', 'contract A {\n  // why <b>\n  string s = "hi";\n  uint x = 42;\n}')
  expect(words).toEqual(expect.arrayContaining(['comment:// why <b>', 'text:"hi"', 'number:42']))
  expect(words.some((word) => word.startsWith('keyword:contract'))).toBe(true)
  const vyper = await shaped('vyper', '# why\n@external\ndef f() -> uint256:\n    return 7')
  expect(vyper[0]).toBe('comment:# why')
  expect(vyper).toContain('number:7')
})

test('a file that is too large, or whose signal aborted, has no shape', async () => {
  const wait = timeout()
  expect(await highlighter.shapeOf('solidity', 'x'.repeat(600_000), wait)).toBeUndefined()
  expect(await highlighter.shapeOf('solidity', 'contract A {}', AbortSignal.abort())).toBeUndefined()
  expect(await highlighter.shapeOf('solidity', 'contract A {}', wait)).not.toBeUndefined()
})
