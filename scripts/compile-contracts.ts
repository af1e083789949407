// Compiles the devnet's contracts into devnet/contracts/artifacts. With --check nothing is written: the program fails
// if a committed artifact differs from what its source compiles to.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { artifactFile } from '../devnet/contracts/artifact.ts'
import { type ContractName, contractNames } from '../devnet/contracts/catalogue.ts'
import { compileContract } from '../devnet/contracts/compile/compile-contract.ts'
import { VyperUnavailable } from '../devnet/contracts/compile/compile-vyper.ts'

const checking = process.argv.includes('--check')
let stale = 0
let unchanged = 0

for (const name of contractNames) {
  const committed = committedArtifact(name)
  const compiled = compileOrCommitted(name, committed)
  if (compiled === committed) continue
  if (checking) {
    stale++
    console.error(`${name}: the artifact differs from what its source compiles to`)
  } else {
    writeFileSync(artifactFile(name), compiled)
    console.log(`${name}: written`)
  }
}

console.log(`${contractNames.length - unchanged} contracts compiled, ${unchanged} left as committed, ${stale} stale`)
process.exitCode = stale === 0 ? 0 : 1

function committedArtifact(name: ContractName): string | null {
  return existsSync(artifactFile(name)) ? readFileSync(artifactFile(name), 'utf8') : null
}

/** Without Python the committed artifact is used; without both the program fails. */
function compileOrCommitted(name: ContractName, committed: string | null): string {
  try {
    return compileContract(name)
  } catch (error) {
    if (!(error instanceof VyperUnavailable) || committed === null) throw error
    console.warn(`${name}: left as committed. ${error.message}`)
    unchanged++
    return committed
  }
}
