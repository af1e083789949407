import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

type FolderRow = { folder: string; mayImport: readonly string[] | 'everything' }

function folderTable(): FolderRow[] {
  return architecture
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

/** Relative imports, `import type` and `import()` included. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1]!),
  )
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|-for-tests\.tsx?$|\.d\.ts$/.test(file)
}

const rows = folderTable()
const files = ['src', 'devnet', 'web']
  .flatMap((folder) => sourceFiles(join(root, folder)))
  .filter((file) => !isTest(file))

describe('the folder table of ARCHITECTURE.md', () => {
  test('the folder table has a row for every folder under src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(rows.map((row) => row.folder)).toEqual(expect.arrayContaining(folders.map((entry) => entry.name)))
  })

  test('a row of the folder table names only rows above it', () => {
    for (const [index, { folder, mayImport }] of rows.entries()) {
      if (mayImport === 'everything') continue
      const above = rows.slice(0, index).map((row) => row.folder)
      expect(above, `row ${folder}`).toEqual(expect.arrayContaining([...mayImport]))
    }
  })

  test('every import is allowed by the folder table', () => {
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

describe('import cycles', () => {
  const known = new Set(files)
  const imports = new Map(files.map((file) => [file, importsOf(file).filter((target) => known.has(target))]))

  test('no files import each other in a circle, type imports included', () => {
    expect(cyclesOf(imports)).toEqual([])
  })

  test('no folders import each other in a circle, a folder and its own subfolder included', () => {
    const folders = new Map<string, string[]>()
    for (const [file, targets] of imports) {
      const from = dirname(file)
      const others = targets.map((target) => dirname(target)).filter((folder) => folder !== from)
      folders.set(from, [...(folders.get(from) ?? []), ...others])
    }
    expect(cyclesOf(folders)).toEqual([])
  })

  test('the search for cycles finds one', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ])
    expect(cyclesOf(circle)).toEqual([['a', 'b', 'c']])
  })
})

describe('shape', () => {
  test('no file of src, devnet or web has more than 300 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 301)
    expect(long.map((file) => relative(root, file))).toEqual([])
  })

  test('top-level functions are declarations, not arrows', () => {
    const arrow = /^(?:export )?const \w+ = (?:async )?(?:<[^=]*>)?\([^=]*\)(?:: [^=]+)? =>/m
    expect(files.filter((file) => arrow.test(readFileSync(file, 'utf8'))).map((file) => relative(root, file))).toEqual(
      [],
    )
  })
})

describe('the walks of ARCHITECTURE.md', () => {
  const walks = architecture
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      title: text.split('\n')[0]!,
      limit: Number(/at most (\d+) files/.exec(text)?.[1]),
      files: [...new Set([...text.matchAll(/`((?:src|web)\/[\w./-]+\.tsx?)`/g)].map((match) => match[1]!))],
    }))
    .filter(({ limit }) => !Number.isNaN(limit))

  test('there are four walks, and each stays within its number of files', () => {
    expect(walks).toHaveLength(4)
    for (const walk of walks) expect(walk.files.length, walk.title).toBeLessThanOrEqual(walk.limit)
  })

  test('every file of a walk exists', () => {
    const missing = walks.flatMap((walk) => walk.files.filter((file) => !existsSync(join(root, file))))
    expect(missing).toEqual([])
  })
})

describe('effects', () => {
  function offenders(pattern: RegExp, allowed: readonly string[]): string[] {
    return files
      .filter((file) => !allowed.includes(folderOf(file)) && pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))
  }

  test('only cli reads the environment', () => {
    expect(offenders(/process\.env\b/, ['cli'])).toEqual([])
  })

  test('every line of SQL is in store', () => {
    expect(offenders(/['"`]\s*(select|insert into|update|delete from|create table)\s/i, ['store'])).toEqual([])
  })

  test('contract and client use no Node modules', () => {
    const folders = [...new Set(files.map(folderOf))].filter((folder) => !['contract', 'client'].includes(folder))
    expect(offenders(/from 'node:/, folders)).toEqual([])
  })
})

/** Strongly connected components with more than one member (Tarjan), each sorted. */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  function visit(node: string): void {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) cycles.push(members.map((member) => relative(root, resolve(root, member))).sort())
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return cycles
}
