// The serving side of bench/api.bench.ts: a whole Firstlight on the prepared database, or bare node:http that sends the same bytes.
// It is a process of its own, so that its CPU time can be measured.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devDefaults } from '../../src/app/devnet-options.ts'
import { options } from '../../src/app/options.ts'
import { startServer } from '../../src/app/server.ts'
import { createLifecycle } from '../../src/lib/async/lifecycle.ts'
import { loadConfig } from '../../src/lib/config/config.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Served } from './process.ts'

const [kind, dataDir = ''] = process.argv.slice(2)

async function firstlight(): Promise<Served> {
  const { settings: config } = loadConfig(options, {
    flags: {},
    environment: {
      DATA_DIR: dataDir,
      PORT: '0',
      ROLES: 'api',
      RATE_LIMIT_KEY: '1000000',
      RATE_LIMIT_IP: '1000000',
      LOG_LEVEL: 'warn',
    },
    dotenv: {},
    command: devDefaults,
    readFile: () => '',
  })
  const fail = (cause: Error) => {
    throw cause
  }
  const log = createLog({ level: 'warn', pretty: false })
  const running = { lifecycle: createLifecycle(), log, fail, fetchEnvironment: {} }
  const { url, devKey } = await startServer({ config, running, withDevKey: true })
  return { port: Number(new URL(url).port), credentials: devKey! }
}

const bodies = new Map<string, Buffer>()

async function bare(): Promise<Served> {
  const server = createServer((request, response) => {
    const body = bodies.get(request.url!)!
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.setHeader('content-length', body.length)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, credentials: { key: 'k', secret: 's', passphrase: 'p' } }
}

process.on('message', (message: 'cpu' | { target: string; body: string }) => {
  if (message !== 'cpu') {
    bodies.set(message.target, Buffer.from(message.body))
    return
  }
  const { user, system } = process.cpuUsage()
  process.send!((user + system) / 1000)
})
process.send!(await (kind === 'bare' ? bare() : firstlight()))
