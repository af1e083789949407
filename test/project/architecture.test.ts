import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

type FolderRow = { folder: string; mayImport: readonly string[] | 'everything' }

function folderTable(): FolderRow[] {
  return readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && cells[1]!.startsWith('`'))
    .map(([, folder, , , mayImport]) => ({
      folder: folder!.replaceAll('`', ''),
      mayImport:
        mayImport === 'everything' ? 'everything' : [...mayImport!.matchAll(/`([a-z]+)`/g)].map((match) => match[1]!),
    }))
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('dist'))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** `src/http/app.ts` is in `http`, `web/pages/docs.ts` in `web`. */
function folderOf(file: string): string {
  const [top, second] = relative(root, file).split(/[\\/]/)
  return top === 'src' ? second! : top!
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1]!),
  )
}

function isTest(file: string): boolean {
  return /\.test\.ts$|-for-tests\.ts$/.test(file)
}

const rows = folderTable()
const files = ['src', 'devnet', 'web']
  .flatMap((folder) => sourceFiles(join(root, folder)))
  .filter((file) => !isTest(file))

describe('the folder table of ARCHITECTURE.md', () => {
  test('has a row for every folder under src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(rows.map((row) => row.folder)).toEqual(expect.arrayContaining(folders.map((entry) => entry.name)))
  })

  test('names only rows above, so that no cycle can be written down', () => {
    for (const [index, { folder, mayImport }] of rows.entries()) {
      if (mayImport === 'everything') continue
      const above = rows.slice(0, index).map((row) => row.folder)
      expect(above, `row ${folder}`).toEqual(expect.arrayContaining([...mayImport]))
    }
  })

  test('is kept by every import', () => {
    const forbidden = files.flatMap((file) => {
      const from = folderOf(file)
      const row = rows.find((each) => each.folder === from)
      if (!row || row.mayImport === 'everything') return []
      const allowed = new Set([from, ...row.mayImport])
      return importsOf(file)
        .filter((target) => target.startsWith(root) && !allowed.has(folderOf(target)))
        .map((target) => `${relative(root, file)} imports ${relative(root, target)}`)
    })
    expect(forbidden).toEqual([])
    expect(files.length).toBeGreaterThan(50)
  })
})

describe('effects', () => {
  const offenders = (pattern: RegExp, allowed: readonly string[]) =>
    files
      .filter((file) => !allowed.includes(folderOf(file)) && pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))

  test('lets only cli read the environment', () => {
    expect(offenders(/process\.env\b/, ['cli'])).toEqual([])
  })

  test('keeps every line of SQL in store', () => {
    expect(
      offenders(/['"`]\s*(select|insert into|update|delete from|create table)\s/i, ['store', 'app', 'cli']),
    ).toEqual([])
  })

  test('keeps node modules out of contract and client', () => {
    const folders = [...new Set(files.map(folderOf))].filter((folder) => !['contract', 'client'].includes(folder))
    expect(offenders(/from 'node:/, folders)).toEqual([])
  })
})
