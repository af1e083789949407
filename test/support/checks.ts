// The black-box checks that lie beside the repository, in a copy under node_modules with the packages they need.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installedPackages } from './installed-packages.ts'

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))
const source = `${shared}tools/checks/`

/** Null where they are not there. */
export const checksDir = existsSync(`${source}run-io.mjs`) ? source : null
export const executionApis = `${shared}fixtures/execution-apis`
export const ethereumOpenRpc = `${shared}fixtures/ethereum-openrpc.json`

/** Gives the folder, which ends with a slash. */
export async function installedChecks(): Promise<string> {
  const folder = `${await installedPackages('checks', source)}/`
  for (const name of ['lib.mjs', 'run-io.mjs', 'jsonrpc2.mjs', 'check-live.mjs', 'compare.mjs', 'upstream']) {
    cpSync(source + name, folder + name, { recursive: true })
  }
  writeFileSync(`${folder}openrpc-op.json`, withDeposits(readFileSync(ethereumOpenRpc, 'utf8')))
  return folder
}

/** What a check prints, whether it passes or not. */
export async function runCheck(file: string, ...args: readonly string[]): Promise<string> {
  return promisify(execFile)(process.execPath, [file, ...args], { maxBuffer: 10_000_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  )
}

/** Ethereum's description of its RPC knows no deposits: without them, the first transaction of every OP block would be wrong. */
function withDeposits(description: string): string {
  const document = JSON.parse(description)
  const { schemas } = document.components
  const quantity = { $ref: '#/components/schemas/uint' }
  schemas.TransactionDeposit = {
    type: 'object',
    required: ['type', 'nonce', 'gas', 'gasPrice', 'value', 'input', 'sourceHash', 'mint'],
    properties: {
      type: { type: 'string', pattern: '^0x7e$' },
      nonce: quantity,
      gas: quantity,
      gasPrice: { const: '0x0' },
      value: quantity,
      mint: quantity,
      input: { $ref: '#/components/schemas/bytes' },
      sourceHash: { $ref: '#/components/schemas/hash32' },
      isSystemTx: { type: 'boolean' },
    },
  }
  schemas.TransactionSigned.oneOf.push({ $ref: '#/components/schemas/TransactionDeposit' })
  return JSON.stringify(document)
}
