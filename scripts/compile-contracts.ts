// Compiles the devnet's contracts into devnet/contracts/artifacts. With --check nothing is written: the program fails
// if a committed artifact differs from what its source compiles to.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { artifactFile } from '../devnet/contracts/artifact.ts'
import { type ContractName, contractNames } from '../devnet/contracts/catalogue.ts'
import { compileContract } from '../devnet/contracts/compile/compile-contract.ts'
import { VyperUnavailable } from '../devnet/contracts/compile/compile-vyper.ts'

const checking = process.argv.includes('--check')
let stale = 0
let kept = 0

for (const name of contractNames) {
  const committed = committedArtifact(name)
  const compiled = compileOrKeep(name, committed)
  if (compiled === committed) continue
  if (checking) {
    stale++
    console.error(`${name}: the artifact differs from what its source compiles to`)
  } else {
    writeFileSync(artifactFile(name), compiled)
    console.log(`${name}: written`)
  }
}

console.log(`${contractNames.length - kept} contracts compiled, ${kept} kept as committed, ${stale} stale`)
process.exitCode = stale === 0 ? 0 : 1

function committedArtifact(name: ContractName): string | null {
  return existsSync(artifactFile(name)) ? readFileSync(artifactFile(name), 'utf8') : null
}

/** Without Python the committed artifact is used; without both the program fails. */
function compileOrKeep(name: ContractName, committed: string | null): string {
  try {
    return compileContract(name)
  } catch (error) {
    if (!(error instanceof VyperUnavailable) || committed === null) throw error
    console.warn(`${name}: kept as committed. ${error.message}`)
    kept++
    return committed
  }
}
