import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { artifactFile, artifactOf, standardInputOf } from './artifact.ts'
import { contractNames } from './catalogue.ts'
import { compileContract } from './compile/compile-contract.ts'

describe('the artifacts', () => {
  // Vyper is installed on the way where it is missing; where that is impossible the test fails and says why.
  test.each(contractNames)('the folder of artifacts has %s exactly as its source compiles', (name) => {
    expect(readFileSync(artifactFile(name), 'utf8') === compileContract(name), 'run scripts/compile-contracts.ts').toBe(
      true,
    )
  })

  test('the folder of artifacts has no file that is not in the catalogue', () => {
    const files = readdirSync(new URL('./artifacts/', import.meta.url))
    expect(files.sort()).toEqual(contractNames.map((name) => `${name}.json`).sort())
  })

  test('the folder of artifacts uses every source file', () => {
    const files = readdirSync(new URL('./sources/', import.meta.url), { recursive: true, encoding: 'utf8' })
    const used = new Set(contractNames.flatMap((name) => artifactOf(name).sources))
    expect(files.filter((file) => /\.(sol|vy)$/.test(file)).sort()).toEqual([...used].sort())
  })

  test('the folder of artifacts rebuilds the whole standard input of a contract with imports', () => {
    const input = standardInputOf('AuroraDollar')
    expect(Object.keys(input.sources)).toEqual(['tokens/AuroraDollar.sol', 'tokens/ERC20.sol', 'tokens/IERC20.sol'])
    expect(input.sources['tokens/IERC20.sol']?.content).toContain('interface IERC20')
    expect(input.settings).toMatchObject({ optimizer: { enabled: true, runs: 200 } })
  })
})
