import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createLifecycle } from '../lib/async/lifecycle.ts'
import { createLog } from '../lib/log.ts'
import { createMetrics } from '../lib/metrics.ts'
import type { ServerContext } from './context.ts'
import { poolPart } from './pool-part.ts'

test('a stop in the middle of a question to the node ends the reading of its pool in order', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const asked = once(silent, 'connection')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const lifecycle = createLifecycle()
  const config = { RPC_URL: [url], POOL_READ_MS: 1_000 } as unknown as ServerContext['config']
  await lifecycle.start(
    poolPart({ config, metrics: createMetrics(), log: createLog({ level: 'silent', pretty: false }) }),
  )
  const [socket] = (await asked) as [Socket]
  expect(await lifecycle.stop()).toEqual([])
  socket.destroy()
  silent.close()
})
