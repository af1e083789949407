import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createMetrics } from '../../lib/metrics.ts'
import { addLiveRoute, type LivePages } from './live.ts'

let app: FastifyInstance
const opened: WebSocket[] = []
let slow: PromiseWithResolvers<string>

async function start(): Promise<LivePages> {
  app = fastify()
  slow = Promise.withResolvers()
  const live = addLiveRoute(app, {
    metrics: createMetrics(),
    admission: { limitAddress: async () => undefined },
    sources: [
      { topics: [/^blocks$/], current: async () => 'current' },
      { topics: [/^tx:\d+$/], current: async () => undefined },
      { topics: [/^slow$/], current: () => slow.promise },
    ],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return live
}

async function open(): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/live`)
  opened.push(client)
  await once(client, 'open')
  return client
}

async function next(client: WebSocket): Promise<unknown> {
  return JSON.parse(String((await once(client, 'message'))[0]))
}

async function untilFollowed(live: LivePages, topic: string): Promise<void> {
  while (!live.followedTopics().includes(topic)) await new Promise((resolve) => setTimeout(resolve, 5))
}

afterEach(async () => {
  for (const client of opened.splice(0)) client.terminate()
  await app.close()
})

describe('the WebSocket of the pages', () => {
  test('a new subscriber gets the current state and then updates', async () => {
    const live = await start()
    const client = await open()
    client.send('{"subscribe":["blocks"]}')
    expect(await next(client)).toEqual({ topic: 'blocks', html: 'current' })
    live.publish('blocks', 'row')
    expect(await next(client)).toEqual({ topic: 'blocks', html: 'row' })
  })

  test('the current state comes first, however long it takes, then the updates that came meanwhile', async () => {
    const live = await start()
    const client = await open()
    const received: string[] = []
    client.on('message', (message) => received.push((JSON.parse(String(message)) as { html: string }).html))
    client.send('{"subscribe":["slow"]}')
    await untilFollowed(live, 'slow')
    live.publish('slow', 'first')
    live.publish('slow', 'second')
    slow.resolve('current')
    await slow.promise
    live.publish('slow', 'third')
    while (received.length < 4) await once(client, 'message')
    expect(received).toEqual(['current', 'first', 'second', 'third'])
  })

  test('a subscriber gets updates of its own topics only', async () => {
    const live = await start()
    const client = await open()
    client.send('{"subscribe":["tx:1","unknown","tx:0x"]}')
    await untilFollowed(live, 'tx:1')
    expect(live.followedTopics()).toEqual(['tx:1'])
    live.publish('tx:2', 'other')
    live.publish('tx:1', 'mine')
    expect(await next(client)).toMatchObject({ topic: 'tx:1' })
  })

  test('a connection has at most 32 topics', async () => {
    const live = await start()
    const client = await open()
    client.send(JSON.stringify({ subscribe: Array.from({ length: 100 }, (_, i) => `tx:${i}`) }))
    await untilFollowed(live, 'tx:31')
    expect(live.followedTopics()).toHaveLength(32)
  })

  test('a closed connection is removed from all topics', async () => {
    const live = await start()
    const client = await open()
    client.send('{"subscribe":["tx:1"]}')
    await untilFollowed(live, 'tx:1')
    client.close()
    while (live.openPages > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(live.followedTopics()).toEqual([])
  })

  test('a connection that sends anything else is closed', async () => {
    await start()
    for (const text of ['no json', '{}', '{"subscribe":"blocks"}', '[1]', '{"subscribe":[1]}', 'null']) {
      const client = await open()
      client.send(text)
      expect((await once(client, 'close'))[0], text).toBe(1003)
    }
  })
})
