// Compiles the devnet's contracts into devnet/contracts/artifacts. With --check nothing is written: the program fails
// where a committed artifact is not, byte for byte, what its source gives.

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
    console.error(`${name}: the artifact is not what the source gives`)
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

/** Without Python the committed artifact stands; without either there is nothing to go on with. */
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
