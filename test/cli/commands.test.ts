import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commands, runCommand } from '../../src/cli/run.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open.ts'

// Every test starts processes, some of them servers, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-commands-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command in a process of its own: for what starts a server, and for what only the entry point does. */
function firstlight(words: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), ...environment },
  })
  return { status, stdout, stderr }
}

/** Runs the command in this process, in the same folder: fast, for what ends by itself. */
async function firstlightInProcess(words: readonly string[], environment: Record<string, string> = {}) {
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  const textOf = (spy: typeof printed) => spy.mock.calls.map(([line]) => `${line}\n`).join('')
  vi.stubEnv('DATA_DIR', join(folder, 'data'))
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const before = process.cwd()
  process.chdir(folder)
  try {
    const status = await runCommand(words)
    return { status, stdout: textOf(printed), stderr: textOf(complaints) }
  } finally {
    process.chdir(before)
    vi.unstubAllEnvs()
    printed.mockRestore()
    complaints.mockRestore()
  }
}

describe('the command line', () => {
  test('the command line prints help and exits 0, for everything and for a command', async () => {
    const { status, stdout } = await firstlightInProcess(['--help'])
    expect([status, stdout]).toEqual([0, expect.stringContaining('Exit codes:')])
    for (const { usage, summary } of Object.values(commands)) {
      expect(stdout).toContain(usage)
      expect(stdout).toContain(summary)
    }
    const help = {
      status: 0,
      stdout: expect.stringMatching(/Delete the devnet of earlier runs[\s\S]*--rate-limit-key /),
    }
    expect(await firstlightInProcess(['dev', '--help'])).toMatchObject(help)
  })

  test('the command line prints its version', () => {
    expect(firstlight(['--version'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test.each([
    [['strat'], /no command strat; did you mean start\?/],
    [['doctor', '--jsno'], /no flag --jsno; did you mean --json\?/],
    [['config', '--prot=1'], /no flag --prot; did you mean --port\?/],
    [['config', '--port'], /--port needs a value/],
    [['keys', 'crate'], /did you mean create\?/],
    [['keys', 'create'], /needs --name/],
    [['keys', 'create', '--name', 'x', '--passphrase', 'short'], /8 to 128 characters/],
    [['keys', 'revoke'], /needs the key/],
    [['dev', 'reset'], /dev takes no word reset; did you mean --reset\?/],
    [['start', '-port', '1'], /start takes no word -port; did you mean --port\?/],
  ])('the command line answers %j with exit code 2 and what was probably meant', async (words, message) => {
    expect(await firstlightInProcess(words)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) })
  })

  test.each([
    [['config', '--port', '99999'], {}, /PORT must be an integer from 0 to 65535/],
    [['start'], {}, /RPC_URL is not set/],
    [['start'], { RPC_URL: 'ftp://x' }, /^firstlight: RPC_URL must be http:\/\/ or (?!.*ftp)/],
    [['start'], { RPC_URL: 'http://127.0.0.1:1', FLASHBLOCKS_ENABLED: 'true' }, /FLASHBLOCKS_URL is not set/],
    [['config'], { FLASHBLOCKS_URL: 'http://x' }, /FLASHBLOCKS_URL has "http:\/\/x".*ws:\/\//],
    [['config'], { TRUSTED_PROXIES: '10.0.0.0/8,nginx' }, /TRUSTED_PROXIES has "nginx", which must be an IP address/],
    [['config'], { KEYS_SECRET_FILE: '/nowhere/keys' }, /^firstlight: KEYS_SECRET_FILE cannot be read: ENOENT.*\n$/],
  ])('the command line exits 78 when %j with %j cannot be used', async (words, environment, message) => {
    expect(await firstlightInProcess(words, environment)).toEqual({
      status: 78,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })

  test('the command line exits 78 when a newer version derived the index', async () => {
    const environment = { DATA_DIR: join(folder, 'newer'), RPC_URL: 'http://127.0.0.1:1', PORT: '0' }
    const database = await openDatabase({ url: undefined, dataDir: environment.DATA_DIR, onIdleError: () => {} })
    await migrate(database, 0)
    await database.run('insert into stored_ranges (first_height, last_height) values (0, 0)')
    await database.run(`insert into derivations (thing, version) values ('native balances', 99)`)
    await database.close()
    expect(await firstlightInProcess(['start'], environment)).toMatchObject({
      status: 78,
      stderr: expect.stringContaining('a newer version of firstlight (native balances)'),
    })
  })

  test('the command line exits 75 when the database does not answer', async () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await firstlightInProcess(['migrate'], environment)).toMatchObject({
      status: 75,
      stderr: expect.stringContaining('PostgreSQL'),
    })
  })

  test('the command line says in one line what is wrong with DATA_DIR, and with HOST', async () => {
    writeFileSync(join(folder, 'file'), '')
    const noFolder = await firstlightInProcess(['migrate'], { DATA_DIR: join(folder, 'file') })
    expect(noFolder).toMatchObject({ status: 1, stderr: expect.stringMatching(/^.*DATA_DIR must be a folder\n$/) })
    // An address of nobody's (RFC 5737).
    const environment = { RPC_URL: 'http://127.0.0.1:1', ROLES: 'api', HOST: '192.0.2.1', PORT: '0' }
    expect(firstlight(['start'], environment)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^firstlight: .*EADDRNOTAVAIL.*choose a HOST that this machine has\n$/),
    })
  })

  test('the command line says which port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    // Not spawnSync: this process must go on holding the port.
    const child = spawn(process.execPath, [main, 'dev'], {
      cwd: folder,
      env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: String(port), ROLES: 'api', RPC_URL: 'http://x' },
    })
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    const status = await new Promise((resolve) => child.once('exit', resolve))
    taken.close()
    expect(status).toBe(1)
    expect(complaint).toMatch(/EADDRINUSE.*choose another PORT/)
  })
})

describe('config', () => {
  test('config shows where each value comes from and hides secrets', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=1234\nHOTS=x\n')
    const environment = {
      DATABASE_URL: 'postgres://u:topsecret@h/d',
      KEYS_SECRET: 'topsecret',
      RPC_URL: 'https://node.example/?key=topsecret',
      FLASHBLOCKS_URL: 'wss://feed.example/topsecret-0123456789abcdef',
      PRICE_SOURCE: 'coingecko:https://host/api?key=topsecret#base',
    }
    const { stdout } = await firstlightInProcess(['config', '--host', '::1'], environment)
    expect(stdout).toMatch(/^HOST +::1 +\(flag\)$/m)
    expect(stdout).toMatch(/^PORT +1234 +\(\.env\)$/m)
    expect(stdout).toMatch(/^LOG_LEVEL +info +\(default\)$/m)
    expect(stdout).toContain('.env: HOTS is not a setting; did you mean HOST?')
    expect(stdout).not.toContain('topsecret')
    const { stdout: json } = await firstlightInProcess(['config', '--json'], environment)
    expect(JSON.parse(json)).toMatchObject({ PORT: { value: '1234', source: '.env' } })
    expect(json).not.toContain('topsecret')
    rmSync(join(folder, '.env'))
  })
})

describe('keys', () => {
  test('keys are created, listed and revoked', async () => {
    const { stdout } = await firstlightInProcess(['keys', 'create', '--name', 'ci', '--json'])
    const { key, secret, passphrase } = JSON.parse(stdout) as Record<string, string>
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(secret).toMatch(/^[0-9A-F]{32}$/)
    expect(passphrase!.length).toBeGreaterThanOrEqual(8)
    const { stdout: listed } = await firstlightInProcess(['keys', 'list'])
    expect(listed).toMatch(new RegExp(`^${key} .* active .* ci$`, 'm'))
    expect(listed).not.toContain(secret)
    expect(await firstlightInProcess(['keys', 'revoke', key!])).toMatchObject({ status: 0 })
    expect(await firstlightInProcess(['keys', 'revoke', key!])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no active key'),
    })
    expect((await firstlightInProcess(['keys', 'list'])).stdout).toMatch(/revoked/)
  })

  test('doctor and dev refuse another KEYS_SECRET than the keys were encrypted with', async () => {
    await firstlightInProcess(['keys', 'create', '--name', 'sealed'])
    const doctor = await firstlightInProcess(['doctor', '--port', '0'], { KEYS_SECRET: 'another' })
    expect(doctor).toMatchObject({ status: 1, stdout: expect.stringMatching(/FAILED +API keys .*KEYS_SECRET/) })
    const dev = firstlight(['dev', '--port', '0', '--devnet-port', '0'], { KEYS_SECRET: 'another' })
    expect(dev).toMatchObject({ status: 78, stderr: expect.stringContaining('KEYS_SECRET') })
  })
})

describe('doctor', () => {
  test('doctor finds no failure in a good setup and says what is missing', async () => {
    const { status, stdout } = await firstlightInProcess(['doctor', '--port', '0'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ok +Database +SQLite/m)
    expect(stdout).toMatch(/^warning +Chain node +RPC_URL is not set/m)
  })

  test.each([
    ['http://127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['ws://127.0.0.1:1', 'no WebSocket at this URL'],
  ])('doctor says why the node at %s does not answer', async (url, reason) => {
    const { status, stdout } = await firstlightInProcess(['doctor', '--port', '0', '--json'], { RPC_URL: url })
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'Chain node',
      state: 'failed',
      what: `${url}: ${reason}`,
      advice: expect.stringContaining('RPC_URL'),
    })
  })
})
