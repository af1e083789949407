// Collects the functions, events and errors of the contract packages in test/packages/abis from their ABIs: one selector and
// human-readable item a line, sorted. `npm run signatures` writes the file, a test compares it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi } from 'viem'
import { selectorsInAbi } from '../../src/verification/selectors/abi-selectors.ts'
import { installedPackages } from './installed-packages.ts'

export const wellKnownFile = new URL('../../src/verification/selectors/well-known.txt', import.meta.url)
const packages = fileURLToPath(new URL('../packages/abis', import.meta.url))

export async function wellKnownSelectors(): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync(join(packages, 'package.json'), 'utf8'))
  const modules = join(await installedPackages('abis', packages), 'node_modules')
  // Only the packages that are named: their dependencies have other versions of the same contracts.
  const abis = Object.keys(dependencies).flatMap((name) => abisUnder(join(modules, name)))
  // One text for a selector and a number of indexed parameters: the first one, unless a later one names more parameters.
  const texts = new Map<string, string>()
  for (const { kind, selector, text } of abis.flatMap(selectorsInAbi)) {
    const key = `${kind} ${selector} ${kind === 'event' ? text.split(' indexed').length : ''}`
    const line = `${selector} ${text}`
    if (wordsIn(line) > wordsIn(texts.get(key) ?? '')) texts.set(key, line)
  }
  return `${[...texts.values()].sort().join('\n')}\n`
}

function wordsIn(line: string): number {
  return line.split(' ').length
}

function abisUnder(folder: string): Abi[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(folder.length).includes('node_modules'))
    .sort()
    .flatMap((file) => {
      const { abi } = JSON.parse(readFileSync(file, 'utf8')) as { abi?: unknown }
      return Array.isArray(abi) ? [abi as Abi] : []
    })
}
