// node bench/contracts/compile.ts
// Writes artifacts/Workload.json, the interface and the creation code of each contract of Workload.sol.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Compiler = { compile(input: string): string }
type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>
}
type CompiledContract = { readonly abi: unknown; readonly evm: { readonly bytecode: { readonly object: string } } }

const SOURCE = 'Workload.sol'
const solc = createRequire(import.meta.url)('solc') as Compiler

const output: Output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { [SOURCE]: { content: readFileSync(new URL(SOURCE, import.meta.url), 'utf8') } },
      settings: {
        optimizer: { enabled: true, runs: 200 },
        evmVersion: 'cancun',
        outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
      },
    }),
  ),
)
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))

const artifact = Object.fromEntries(
  Object.entries(output.contracts[SOURCE]!).map(([name, { abi, evm }]) => [
    name,
    { abi, bytecode: `0x${evm.bytecode.object}` },
  ]),
)
writeFileSync(new URL('artifacts/Workload.json', import.meta.url), `${JSON.stringify(artifact, null, 2)}\n`)
