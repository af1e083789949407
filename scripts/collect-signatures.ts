// Functions, events and errors of well-known contract packages, from the ABIs in them, into src/verification/signatures/well-known.txt:
// one selector and human-readable item a line, sorted. Run by hand when the list below changes; the result is committed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Abi } from 'viem'
import { signaturesIn } from '../src/verification/signatures/signature.ts'

const PACKAGES = [
  '@openzeppelin/contracts@5.7.0',
  '@openzeppelin/contracts-upgradeable@4.9.6',
  '@safe-global/safe-contracts@1.4.1',
  '@uniswap/v2-core@1.0.1',
  '@uniswap/v2-periphery@1.1.0-beta.0',
  '@uniswap/v3-core@1.0.1',
  '@uniswap/v3-periphery@1.4.4',
  '@aave/core-v3@1.19.3',
  '@account-abstraction/contracts@0.8.0',
]

const target = new URL('../src/verification/signatures/well-known.txt', import.meta.url)

const abisUnder = (folder: string): Abi[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json'))
    .flatMap((entry) => {
      const { abi } = JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')) as { abi?: unknown }
      return Array.isArray(abi) ? [abi as Abi] : []
    })

const folder = mkdtempSync(join(tmpdir(), 'firstlight-abis-'))
try {
  writeFileSync(join(folder, 'package.json'), '{}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...PACKAGES], {
    cwd: folder,
    stdio: 'inherit',
  })
  const abis = PACKAGES.flatMap((name) => abisUnder(join(folder, 'node_modules', name.replace(/@[^@]+$/, ''))))
  // One text a selector and a set of indexed parameters: names that differ add nothing.
  const texts = new Map<string, string>()
  for (const { kind, selector, text } of abis.flatMap(signaturesIn)) {
    const key = `${kind} ${selector} ${kind === 'event' ? text.split(' indexed').length : ''}`
    const known = texts.get(key)
    if (known === undefined || text.length > known.length) texts.set(key, `${selector} ${text}`)
  }
  writeFileSync(target, `${[...texts.values()].sort().join('\n')}\n`)
  console.log(`${texts.size} items of ${PACKAGES.length} packages`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
