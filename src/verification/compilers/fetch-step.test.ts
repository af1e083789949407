// The step that fetches compilers, in every sandbox that works on this machine.
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isUsable, sandboxes } from '../compile/sandbox.ts'
import { createFetchStep, fetchEnvironmentFrom } from './fetch-step.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-data-'))
const secret = join(dataDir, 'keys-secret')
writeFileSync(secret, 'secret')
afterAll(() => rmSync(dataDir, { recursive: true }))

test('npm and pip get what leads them to their registries, and none of our secrets', () => {
  const home = mkdtempSync(join(dataDir, 'home-'))
  writeFileSync(join(home, '.npmrc'), '')
  const given = {
    PATH: '/bin',
    DATABASE_URL: 'postgres://user:password@host/db',
    KEYS_SECRET: 'secret',
    OPERATOR_TOKEN: 'secret',
    npm_config__authToken: 'secret',
    https_proxy: 'http://proxy:3128',
    PIP_INDEX_URL: 'http://mirror/simple',
    npm_config_registry: 'http://mirror',
  }
  expect(fetchEnvironmentFrom(given, home)).toEqual({
    PATH: '/bin',
    https_proxy: 'http://proxy:3128',
    PIP_INDEX_URL: 'http://mirror/simple',
    npm_config_registry: 'http://mirror',
    npm_config_userconfig: join(home, '.npmrc'),
  })
})

/** Runs inside, and prints what it can reach. */
const PROBE = `const { readFileSync, writeFileSync } = require('node:fs')
const [port, server, secret, folder, beside] = process.argv.slice(1)
const can = (work) => { try { work(); return true } catch { return false } }
const found = {
  variables: Object.keys(process.env).sort(),
  home: process.env.HOME,
  readsData: can(() => readFileSync(secret)),
  seesServer: can(() => process.kill(Number(server), 0)),
  writesOwn: can(() => writeFileSync(folder + '/written', '')),
  writesBeside: can(() => writeFileSync(beside, '')),
}
const report = (reaches) => { console.log(JSON.stringify({ ...found, reaches })); process.exit() }
require('node:net').connect(Number(port), '127.0.0.1').on('connect', () => report(true)).on('error', () => report(false))`

test.each(sandboxes.filter(({ isClosed }) => isClosed))(
  'the step that fetches has a network and one folder in the sandbox with $describe',
  { timeout: 60_000 },
  async (sandbox) => {
    if (!(await isUsable(sandbox))) return console.log(`${sandbox.describe}: does not work on this machine: skipped`)
    const parent = join(dataDir, 'compilers')
    mkdirSync(parent, { recursive: true })
    const beside = join(parent, 'beside')
    const outside = createServer().listen(0, '127.0.0.1')
    await once(outside, 'listening')
    try {
      const { port } = outside.address() as AddressInfo
      const fetching = createFetchStep({
        environment: { PIP_INDEX_URL: 'http://mirror' },
        sandbox: async () => sandbox,
      })
      const [folder, ran] = await fetching.inNewFolder(parent, async (step) => {
        const given = [port, process.pid, secret, step.folder, beside].map(String)
        const options = { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 }
        return [step.folder, await step.run([process.execPath, '-e', PROBE, ...given], options)] as const
      })
      expect(ran).toMatchObject({ type: 'done' })
      const { variables, ...found } = JSON.parse(ran.type === 'done' ? ran.stdout : '')
      expect(found).toEqual({
        home: join(folder, 'home'),
        readsData: false,
        seesServer: false,
        writesOwn: true,
        // In a new root in memory, which nobody sees.
        writesBeside: expect.any(Boolean),
        reaches: true,
      })
      expect(variables.filter((name: string) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([
        'HOME',
        'LC_ALL',
        'PATH',
        'PIP_INDEX_URL',
        'TMPDIR',
      ])
      expect([existsSync(beside), readdirSync(parent)]).toEqual([false, []])
    } finally {
      outside.close()
    }
  },
)
