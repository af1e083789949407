// Every sandbox that works on this machine, with a real compiler inside.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { isUsable, sandboxes } from './sandbox.ts'
import { startSoljsonWorker } from './soljson-worker.ts'

/** Stands for a file of the data folder. */
const secret = join(mkdtempSync(join(tmpdir(), 'firstlight-data-')), 'keys-secret')
writeFileSync(secret, 'secret')
afterAll(() => rmSync(dirname(secret), { recursive: true }))

const soljson = createRequire(import.meta.url).resolve('solc/soljson.js')

/** Runs inside: prints whether a server outside can be reached, and the priority of each of its threads. */
const PROBE = `const { readdirSync, readFileSync } = require('node:fs')
const nices = readdirSync('/proc/self/task').map((id) =>
  Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').replace(/^.*\\) /, '').split(' ')[16]))
const seesServer = (() => { try { process.kill(Number(process.argv[2]), 0); return true } catch { return false } })()
const readsData = (() => { try { readFileSync(process.argv[3]); return true } catch { return false } })()
const report = (reaches) => { console.log(JSON.stringify({ reaches, seesServer, readsData, nices: [...new Set(nices)] })); process.exit() }
require('node:net').connect(Number(process.argv[1]), '127.0.0.1').on('connect', () => report(true)).on('error', () => report(false))`

test.each(sandboxes)('a compiler runs in the sandbox with $describe', { timeout: 120_000 }, async (sandbox) => {
  if (process.platform !== 'linux' || !(await isUsable(sandbox))) {
    return console.log(`${sandbox.describe}: does not work on this machine: skipped`)
  }
  const outside = createServer().listen(0, '127.0.0.1')
  await once(outside, 'listening')
  try {
    const { port } = outside.address() as AddressInfo
    const [command, ...probe] = sandbox.commandIn(
      [process.execPath, '-e', PROBE, String(port), String(process.pid), secret],
      [],
    )
    const { stdout } = await promisify(execFile)(command!, probe)
    expect(JSON.parse(stdout)).toEqual({
      reaches: !sandbox.describe.includes('no network'),
      seesServer: !sandbox.isClosed,
      readsData: !sandbox.isClosed,
      nices: [getPriority() + 10],
    })
  } finally {
    outside.close()
  }
  const worker = startSoljsonWorker(soljson, sandbox)
  expect(await worker.loaded).toMatchObject({ type: 'output', output: expect.stringContaining('0.8.30+commit') })
  const input = JSON.stringify({ language: 'Solidity', sources: { 'A.sol': { content: 'contract A {}' } } })
  const limits = { wallMs: 60_000, memoryBytes: 2 ** 31, outputBytes: 1_000_000 }
  expect(await worker.compile(input, limits)).toMatchObject({ type: 'output' })
  worker.kill()
})
