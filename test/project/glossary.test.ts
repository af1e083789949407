import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const rows = readFileSync(`${docs}glossary.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!word \|)\S/.test(line))
  .map((line) => {
    const [, word, meaning, home] = line.split('|').map((cell) => cell.trim())
    return { word: word!, meaning: meaning!, home: /\]\(([^)#]+)/.exec(home!)?.[1] }
  })

test('the glossary has at most 45 words, in the order of the alphabet', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.length).toBeLessThanOrEqual(45)
  const words = rows.map(({ word }) => word.toLowerCase())
  expect(words).toEqual(words.toSorted((one, other) => one.localeCompare(other, 'en')))
})

test('every word of the glossary has a meaning and a file or folder where it lives', () => {
  const homeless = rows.filter(({ meaning, home }) => meaning === '' || !home || !existsSync(`${docs}${home}`))
  expect(homeless.map(({ word }) => word)).toEqual([])
})
