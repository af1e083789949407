import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../src/commands/run.ts'
import { startTestServer, type TestServer } from './support/server.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-commands-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const firstlight = (words: readonly string[], environment: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), ...environment },
  })
  return { status, stdout, stderr }
}

describe('the command line', () => {
  it('prints help and exits 0, for everything and for each command', () => {
    expect(firstlight(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit codes:') })
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(firstlight([name, '--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining(summary) })
    }
  })

  it('prints its version', () => {
    expect(firstlight(['--version'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it.each([
    [['strat'], /no command strat; did you mean start\?/],
    [['doctor', '--jsno'], /no flag --jsno; did you mean --json\?/],
    [['config', '--prot=1'], /no flag --prot; did you mean --port\?/],
    [['config', '--port'], /--port needs a value/],
    [['keys', 'crate'], /did you mean create\?/],
    [['keys', 'create'], /needs --name/],
    [['keys', 'create', '--name', 'x', '--passphrase', 'short'], /8 to 128 characters/],
    [['keys', 'revoke'], /needs the key/],
  ])('answers %j with exit code 2 and what was probably meant', (words, message) => {
    expect(firstlight(words)).toMatchObject({ status: 2, stderr: expect.stringMatching(message) })
  })

  it.each([
    [['config', '--port', '99999'], {}, /PORT must be an integer from 0 to 65535/],
    [['start'], {}, /RPC_URL is not set/],
    [['start'], { RPC_URL: 'ftp://x' }, /^firstlight: RPC_URL must be http:\/\/ or (?!.*ftp)/],
    [['start'], { RPC_URL: 'http://127.0.0.1:1', FLASHBLOCKS_ENABLED: 'true' }, /FLASHBLOCKS_URL is not set/],
    [['config'], { FLASHBLOCKS_URL: 'http://x' }, /FLASHBLOCKS_URL has "http:\/\/x".*ws:\/\//],
  ])('exits 78 when %j with %j cannot be used', (words, environment, message) => {
    expect(firstlight(words, environment)).toMatchObject({ status: 78, stderr: expect.stringMatching(message) })
  })

  it('exits 75 when the database does not answer', () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(firstlight(['migrate'], environment)).toMatchObject({
      status: 75,
      stderr: expect.stringContaining('PostgreSQL'),
    })
  })

  it('says which port is taken', async () => {
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
  it('shows where each value comes from and hides secrets', () => {
    writeFileSync(join(folder, '.env'), 'PORT=1234\nHOTS=x\n')
    const environment = {
      DATABASE_URL: 'postgres://u:topsecret@h/d',
      KEYS_SECRET: 'topsecret',
      RPC_URL: 'https://node.example/?key=topsecret',
    }
    const { stdout } = firstlight(['config', '--host', '::1'], environment)
    expect(stdout).toMatch(/^HOST +::1 +\(flag\)$/m)
    expect(stdout).toMatch(/^PORT +1234 +\(\.env\)$/m)
    expect(stdout).toMatch(/^LOG_LEVEL +info +\(default\)$/m)
    expect(stdout).toContain('.env: HOTS is not an option; did you mean HOST?')
    expect(stdout).not.toContain('topsecret')
    const { stdout: json } = firstlight(['config', '--json'], environment)
    expect(JSON.parse(json)).toMatchObject({ PORT: { value: '1234', source: '.env' } })
    expect(json).not.toContain('topsecret')
    rmSync(join(folder, '.env'))
  })
})

describe('keys', () => {
  it('issues, lists and revokes', () => {
    const { stdout } = firstlight(['keys', 'create', '--name', 'ci', '--json'])
    const { key, secret, passphrase } = JSON.parse(stdout) as Record<string, string>
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(secret).toMatch(/^[0-9A-F]{32}$/)
    expect(passphrase!.length).toBeGreaterThanOrEqual(8)
    expect(firstlight(['keys', 'list']).stdout).toMatch(new RegExp(`^${key} .* active .* ci$`, 'm'))
    expect(firstlight(['keys', 'list']).stdout).not.toContain(secret)
    expect(firstlight(['keys', 'revoke', key!])).toMatchObject({ status: 0 })
    expect(firstlight(['keys', 'revoke', key!])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no active key'),
    })
    expect(firstlight(['keys', 'list']).stdout).toMatch(/revoked/)
  })

  it('refuses to go on under another KEYS_SECRET', () => {
    firstlight(['keys', 'create', '--name', 'sealed'])
    const doctor = firstlight(['doctor', '--port', '0'], { KEYS_SECRET: 'another' })
    expect(doctor).toMatchObject({ status: 1, stdout: expect.stringMatching(/FAILED +API keys .*KEYS_SECRET/) })
    const dev = firstlight(['dev', '--port', '0', '--devnet-port', '0'], { KEYS_SECRET: 'another' })
    expect(dev).toMatchObject({ status: 78, stderr: expect.stringContaining('KEYS_SECRET') })
  })
})

describe('doctor', () => {
  it('finds nothing wrong with a good set-up and says what is missing', () => {
    const { status, stdout } = firstlight(['doctor', '--port', '0'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ok +Database +SQLite/m)
    expect(stdout).toMatch(/^warning +Chain node +RPC_URL is not set/m)
  })

  it('fails on a node that does not answer', () => {
    const { status, stdout } = firstlight(['doctor', '--port', '0', '--json'], { RPC_URL: 'http://127.0.0.1:1' })
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'Chain node', state: 'failed' }))
  })
})

describe('dev', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({}, { keepData: true })
  })

  it('shows every address and the development key', () => {
    for (const path of ['/docs', '/api/v5/chain/...', '/flashblocks', '/health'])
      expect(server.output()).toContain(path)
    expect(server.output()).toContain(server.credentials.key)
    expect(server.output()).toMatch(/Chain +Firstlight Devnet \(DEV\), native currency ETH/)
    for (const file of ['dev-key.json', 'keys-secret']) {
      expect(statSync(join(server.dataDir, file)).mode & 0o777).toBe(0o600)
    }
  })

  it('answers health, readiness with reasons, status and metrics', async () => {
    const get = (path: string) => fetch(server.url + path)
    expect(await (await get('/health')).json()).toEqual({ status: 'alive' })
    const ready = await get('/ready')
    expect([200, 503]).toContain(ready.status)
    expect(await ready.json()).toEqual({ ready: ready.status === 200, reasons: expect.any(Array) })
    expect(await (await get('/status')).json()).toMatchObject({
      version: expect.any(String),
      chain: { shortName: 'DEV', fullName: 'Firstlight Devnet' },
      roles: expect.arrayContaining(['api', 'rpc']),
      database: { engine: 'sqlite', trouble: null },
    })
    const metrics = await (await get('/metrics')).text()
    expect(metrics).toMatch(/# HELP firstlight_http_request_seconds /)
    expect(metrics).toMatch(/firstlight_http_request_seconds_count\{route="health",status="200"\} 1/)
  })

  it('stops cleanly on Ctrl-C with an open connection, within its five seconds, and keeps the key', async () => {
    const idle = await fetch(`${server.url}/health`)
    expect(idle.status).toBe(200)
    const { code, tookMs } = await server.stop('SIGINT')
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(5_000)
    const again = await startTestServer({}, { dataDir: server.dataDir })
    expect(again.credentials).toEqual(server.credentials)
    await again.stop()
  })
})

describe('several API processes', () => {
  it('serve on one port and end with the one that started them', async () => {
    const server = await startTestServer({ API_PROCESSES: '2' })
    const pids = new Set<number>()
    for (let i = 0; i < 200 && pids.size < 3; i++) {
      const response = await fetch(`${server.url}/status`, { headers: { connection: 'close' } })
      pids.add(((await response.json()) as { pid: number }).pid)
      await pause(50)
    }
    expect(pids.size).toBe(3)
    await server.stop('SIGKILL')
    const alive = () => [...pids].filter(isAlive)
    for (let i = 0; i < 100 && alive().length > 0; i++) await pause(100)
    expect(alive()).toEqual([])
  })
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
