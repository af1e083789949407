// Every sandbox that works on this machine, with a real compiler inside.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isUsable, sandboxes } from './sandbox.ts'
import { startSoljsonWorker } from './soljson-worker.ts'

const soljson = createRequire(import.meta.url).resolve('solc/soljson.js')

/** Runs inside: prints whether a server outside can be reached, and the priority of each of its threads. */
const PROBE = `const { readdirSync, readFileSync } = require('node:fs')
const nices = readdirSync('/proc/self/task').map((id) =>
  Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').replace(/^.*\\) /, '').split(' ')[16]))
const report = (reaches) => { console.log(JSON.stringify({ reaches, nices: [...new Set(nices)] })); process.exit() }
require('node:net').connect(Number(process.argv[1]), '127.0.0.1').on('connect', () => report(true)).on('error', () => report(false))`

test.each(sandboxes)('a compiler runs in the sandbox with $describe', { timeout: 120_000 }, async (sandbox) => {
  const [command, ...args] = sandbox.prefix
  if (process.platform !== 'linux' || !(await isUsable(sandbox))) {
    return console.log(`${sandbox.prefix.join(' ')} does not work on this machine: skipped`)
  }
  const outside = createServer().listen(0, '127.0.0.1')
  await once(outside, 'listening')
  try {
    const { port } = outside.address() as AddressInfo
    const probe = [...args, process.execPath, '-e', PROBE, String(port)]
    const { stdout } = await promisify(execFile)(command!, probe)
    expect(JSON.parse(stdout)).toEqual({
      reaches: !sandbox.describe.startsWith('no network'),
      nices: [getPriority() + 5],
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
