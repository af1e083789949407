// Processes of Firstlight as an operator runs them: `dev`, starts that are interrupted, several API processes on one port.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startFirstlight } from '../support/firstlight-process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// Every test starts processes, some of them servers, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firstlight-processes-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('dev', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({}, { keepData: true })
  })

  test('dev shows every address and the development key', () => {
    for (const path of ['/docs', '/api/v5/chain/...', '/flashblocks', '/health'])
      expect(server.output()).toContain(path)
    expect(server.output()).toContain(server.credentials.key)
    expect(server.output()).toMatch(/Chain +Firstlight Devnet \(DEV\), native currency ETH/)
    for (const file of ['dev-key.json', 'keys-secret']) {
      expect(statSync(join(server.dataDir, file)).mode & 0o777).toBe(0o600)
    }
  })

  test('dev answers health, readiness with reasons, status and metrics', async () => {
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

  test('dev answers HEAD like GET without the body for pages, and refuses it for the API', async () => {
    for (const path of ['/tools', '/docs', '/icon.svg', '/health']) {
      const head = await fetch(server.url + path, { method: 'HEAD' })
      expect([head.status, await head.text()], path).toEqual([200, ''])
    }
    const refused = await fetch(`${server.url}/api/v5/chain/block/block-list`, { method: 'HEAD' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('dev answers 404 to exports named like properties of every object', async () => {
    for (const name of ['constructor', 'tostring', 'nothing']) {
      expect((await fetch(`${server.url}/export/${name}.csv`)).status, name).toBe(404)
    }
  })

  test('a process that serves only JSON-RPC and the feed is ready without an index, and shows its status on the operator’s port', async () => {
    const [, nodeUrl] = /^ +Devnet +(http\S+)/m.exec(server.output())!
    const [, feedUrl] = /^ +Feed +(ws\S+)/m.exec(server.output())!
    const relay = await startFirstlight(['start'], {
      ...{ PORT: '0', ROLES: 'rpc,relay', RPC_URL: nodeUrl! },
      ...{ FLASHBLOCKS_ENABLED: 'true', FLASHBLOCKS_URL: feedUrl!, OPERATOR_PORT: '0' },
    })
    const [, url] = /Operator +(http:\S+)\/health/.exec(relay.output())!
    const [, publicUrl] = /RPC +(http:\S+)\/flashblocks/.exec(relay.output())!
    for (const [path, status] of Object.entries({ '/health': 200, '/status': 404, '/metrics': 404 })) {
      expect((await fetch(publicUrl + path)).status, path).toBe(status)
      expect((await fetch(url + path)).status, path).toBe(200)
    }
    const ready = async () => (await fetch(`${url}/ready`)).json()
    expect(await until(ready, ({ ready }) => ready)).toEqual({ ready: true, reasons: [] })
    for (const absent of ['API  ', 'Explorer', 'Docs']) expect(relay.output()).not.toContain(absent)
    await relay.stop()
  })

  test('dev stops cleanly on Ctrl-C with an open connection, and has the same key at the next start', async () => {
    const idle = await fetch(`${server.url}/health`)
    expect(idle.status).toBe(200)
    // Exit code 0 means that all parts stopped within five seconds. A machine that is too busy for that may try again.
    let code = await server.stop('SIGINT')
    for (let tries = 1; code !== 0 && tries < 3; tries++) {
      const busy = await startTestServer({}, { dataDir: server.dataDir, keepData: true })
      code = await busy.stop('SIGINT')
    }
    expect(code).toBe(0)
    const again = await startTestServer({}, { dataDir: server.dataDir })
    expect(again.credentials).toEqual(server.credentials)
    await again.stop()
  })
})

/** Exit code and signal: all parts were stopped, in time or, on a busy machine, too late. */
const inOrder = [
  [0, null],
  [1, null],
]

describe('a start that is interrupted', () => {
  test.each(['devnet chain loaded', 'migrated'])(
    'a start that is interrupted ends in order where the log says "%s"',
    async (moment) => {
      const dataDir = join(folder, moment.replaceAll(' ', '-'))
      const child = spawn(process.execPath, [main, 'dev'], {
        env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEVNET_PORT: '0', LOG_LEVEL: 'info' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      child.stdout.on('data', (chunk) => {
        if (String(chunk).includes(moment)) child.kill('SIGTERM')
      })
      expect(inOrder).toContainEqual(await ended)
    },
  )
})

describe('several API processes', () => {
  test('several API processes serve on one port and end with the process that started them', async () => {
    const server = await startTestServer({ API_PROCESSES: '2' })
    const pids = new Set<number>()
    const answering = async () => {
      const response = await fetch(`${server.url}/status`, { headers: { connection: 'close' } })
      return pids.add(((await response.json()) as { pid: number }).pid)
    }
    await until(answering, ({ size }) => size === 3)
    await server.stop('SIGKILL')
    const alive = async () => [...pids].filter(isAlive)
    expect(await until(alive, ({ length }) => length === 0)).toEqual([])
  })

  test('an API process ends in order when Ctrl-C reaches it and then its parent ends', async () => {
    const child = fork(main, ['dev', '--shared-port'], {
      env: { ...process.env, DATA_DIR: join(folder, 'beside'), PORT: '0', DEVNET_PORT: '0', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    child.stdout!.on('data', (chunk) => {
      if (String(chunk).includes('Ctrl-C stops')) child.kill('SIGINT')
      if (String(chunk).includes('"stopping"') && child.connected) child.disconnect()
    })
    expect(inOrder).toContainEqual(await ended)
  })

  test('API processes have no secret on their command line that the first process does not have', async () => {
    const server = await startTestServer({
      ...{ API_PROCESSES: '1', ROLES: 'api', RPC_URL: 'http://127.0.0.1:1/?key=topsecret' },
      ...{ FLASHBLOCKS_ENABLED: 'false', FLASHBLOCKS_URL: 'ws://127.0.0.1:1/?key=topsecret' },
    })
    const lines = commandLinesBelow(server.pid)
    await server.stop()
    if (lines === undefined) return console.log('command lines are not checked: there is no /proc')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('--shared-port')
    expect(lines[0]).not.toContain('topsecret')
  })
})

function commandLinesBelow(pid: number): string[] | undefined {
  const children = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(children)) return undefined
  const pids = readFileSync(children, 'utf8').split(' ').filter(Boolean)
  return pids.map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' '))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
