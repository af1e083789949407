// The black-box checks that lie beside the repository, run against a devnet with traffic. They need one package, which is among ours: a
// copy of them under node_modules finds it there.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Devnet } from '../src/devnet/devnet.ts'
import { rpc, startLivelyDevnet } from './support/devnet.ts'

const shared = fileURLToPath(new URL('../../shared/', import.meta.url))
const copy = fileURLToPath(new URL('../node_modules/.cache/checks/', import.meta.url))
const openrpc = `${copy}openrpc.json`
const areThere = existsSync(`${shared}tools/checks/check-live.mjs`)
if (!areThere) console.log('no checks beside the repository: the devnet is not checked with them')

const ENOUGH_BLOCKS = 50
const TPS = 40

describe.runIf(areThere)('the checks of a node', () => {
  let devnet: Devnet
  beforeAll(async () => {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy, { recursive: true })
    for (const file of ['check-live.mjs', 'jsonrpc2.mjs', 'lib.mjs'])
      cpSync(`${shared}tools/checks/${file}`, copy + file)
    writeFileSync(openrpc, withDeposits(readFileSync(`${shared}fixtures/ethereum-openrpc.json`, 'utf8')))
    devnet = await startLivelyDevnet({ tps: TPS })
    while (Number(await rpc(devnet.url, 'eth_blockNumber')) < ENOUGH_BLOCKS)
      await new Promise((r) => setTimeout(r, 200))
  }, 60_000)
  afterAll(() => devnet.stop())

  it('find nothing wrong with 50 blocks', async () => {
    const last = String(ENOUGH_BLOCKS)
    const output = await run('check-live.mjs', '--url', devnet.url, '--last', last, '--op', '--openrpc', openrpc)
    expect(output).toMatch(/LIVE \d{3,} passed, 0 failed/)
  }, 120_000)

  it('find nothing wrong with its JSON-RPC', async () => {
    expect(await run('jsonrpc2.mjs', '--url', devnet.url)).toMatch(/JSONRPC2 36 passed, 0 failed/)
  }, 120_000)
})

/** Ethereum's description of its RPC knows no deposits: without them, the first transaction of every OP block would be wrong. */
function withDeposits(description: string): string {
  const document = JSON.parse(description)
  const { schemas } = document.components
  const quantity = { $ref: '#/components/schemas/uint' }
  schemas.TransactionDeposit = {
    type: 'object',
    required: ['type', 'nonce', 'gas', 'gasPrice', 'value', 'input', 'sourceHash', 'mint', 'isSystemTx'],
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

/** What a check prints, whether it passes or not. */
async function run(check: string, ...args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 10_000_000 }
  return promisify(execFile)(process.execPath, [copy + check, ...args], options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}
