import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feedMessageFrom } from '../contract/flashblock.ts'
import { createTestSink, flashblock, heavyFlashblock, saidBy } from './flashblocks-for-tests.ts'
import { createHub, type Hub, type HubOptions, type SubscriberQuery } from './hub.ts'
import { outgoingText } from './outgoing-flashblock.ts'
import { payloadOf } from './websocket-frames.ts'

function subscribed(hub: Hub, query: Partial<SubscriberQuery> = {}) {
  const sink = createTestSink()
  const subscription = hub.subscribe(sink, { encoding: 'plain', ...query })
  return { sink, subscription }
}

function hubAfter(places: readonly (readonly [number, number])[], options?: HubOptions): Hub {
  const hub = createHub(options)
  for (const [block, index] of places) hub.publish(outgoingText(flashblock(block, index)))
  return hub
}

function at(block_number: number, flashblock_index: number) {
  return { block_number, flashblock_index }
}

describe('the beginning of a subscription', () => {
  test('the beginning of a subscription is the next index 0', () => {
    const hub = hubAfter([[5, 0], [5, 1]]) // biome-ignore format: short pairs
    const { sink } = subscribed(hub)
    hub.publish(outgoingText(flashblock(5, 2)))
    expect(sink.said()).toEqual([])
    hub.publish(outgoingText(flashblock(6, 0)))
    hub.publish(outgoingText(flashblock(6, 1)))
    expect(sink.said()).toEqual(['6.0', '6.1'])
  })

  test('the beginning of a subscription is what follows the last flashblock received before', () => {
    const hub = hubAfter([[5, 0], [5, 1], [6, 0]]) // biome-ignore format: short pairs
    const { sink } = subscribed(hub, { after: at(5, 0) })
    hub.publish(outgoingText(flashblock(6, 1)))
    expect(sink.said()).toEqual(['5.1', '6.0', '6.1'])
  })

  test('the beginning of a subscription is announced as a gap where the last one received is older than the ring', () => {
    const hub = hubAfter([[5, 0], [5, 1], [6, 0]]) // biome-ignore format: short pairs
    expect(subscribed(hub, { after: at(2, 3) }).sink.said()).toEqual([
      { reason: 'not held', after: at(2, 3), next: at(5, 0) },
      '5.0',
      '5.1',
      '6.0',
    ])
  })

  test('the beginning of a subscription is announced as a gap, and the next index 0, where the relay never had the last one received', () => {
    const hub = hubAfter([[5, 0], [5, 1]]) // biome-ignore format: short pairs
    const { sink } = subscribed(hub, { after: at(5, 2) })
    hub.publish(outgoingText(flashblock(5, 2)))
    hub.publish(outgoingText(flashblock(6, 0)))
    expect(sink.said()).toEqual([{ reason: 'not held', after: at(5, 2), next: null }, '6.0'])
  })

  test('the beginning of a subscription is announced as a gap where another payload replaced the one received', () => {
    const hub = hubAfter([[5, 0], [5, 1]]) // biome-ignore format: short pairs
    hub.publish(outgoingText(flashblock(5, 0, { payload: 99 })))
    expect(subscribed(hub, { after: at(5, 1) }).sink.said()).toEqual(['5.0'])
  })
})

describe('the ring', () => {
  test('the ring has the last 64 blocks whole', () => {
    const hub = createHub()
    for (let block = 1; block <= 100; block++)
      for (let i = 0; i < 3; i++) hub.publish(outgoingText(flashblock(block, i)))
    expect(subscribed(hub, { after: at(37, 0) }).sink.said()[0]).toBe('37.1')
    expect(subscribed(hub, { after: at(36, 2) }).sink.said()[0]).toMatchObject({ reason: 'not held', next: at(37, 0) })
  })

  test('the ring has fewer blocks where they are large', () => {
    const hub = createHub({ maxRingBytes: 100_000 })
    for (let block = 1; block <= 20; block++) hub.publish(outgoingText(heavyFlashblock(block, 0, 20_000)))
    expect(hub.ringBytes()).toBeLessThanOrEqual(100_000)
    expect(
      subscribed(hub, { after: at(1, 0) })
        .sink.said()
        .slice(1),
    ).toEqual(['17.0', '18.0', '19.0', '20.0'])
  })
})

describe('a gap', () => {
  test('a gap of the upstream is announced between what it parts', () => {
    const hub = hubAfter([[5, 0]])
    const { sink } = subscribed(hub, { after: at(5, 0) })
    hub.publish(outgoingText(flashblock(5, 2), { height: 5, index: 0 }))
    hub.publish(outgoingText(flashblock(7, 0), { height: 5, index: 2 }))
    expect(sink.said()).toEqual([
      { reason: 'upstream', after: at(5, 0), next: at(5, 2) },
      '5.2',
      { reason: 'upstream', after: at(5, 2), next: at(7, 0) },
      '7.0',
    ])
  })

  test('a gap is never hidden: whoever resumes sees each flashblock after the position in order, or a notice', () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3 }))
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 40 }),
        place,
        fc.integer({ min: 1, max: 4 }),
        (places, after, maxBlocks) => {
          const hub = hubAfter(places, { maxBlocks })
          const said = subscribed(hub, { after: at(...after) }).sink.said()
          const flashblocks = said.filter((each) => typeof each === 'string')
          const all = places.map((each) => each.join('.'))
          expect(flashblocks).toEqual(flashblocks.length === 0 ? [] : all.slice(-flashblocks.length))
          if (typeof said[0] !== 'object') expect(all.at(-flashblocks.length - 1)).toBe(after.join('.'))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a slow subscriber', () => {
  test('a slow subscriber is asked to take no more until it flows again, and then misses nothing', () => {
    const hub = hubAfter([[5, 0]])
    const { sink, subscription } = subscribed(hub, { after: at(5, 0) })
    sink.isOpen = false
    for (let index = 1; index < 5; index++) hub.publish(outgoingText(flashblock(5, index)))
    expect(sink.said()).toEqual(['5.1'])
    sink.isOpen = true
    subscription.flow()
    expect(sink.said()).toEqual(['5.1', '5.2', '5.3', '5.4'])
  })

  test('a slow subscriber gets a notice of the gap and is cut off when too much waits for it', () => {
    const hub = createHub({ maxWaitingBytes: 50_000 })
    const { sink } = subscribed(hub)
    const { sink: other } = subscribed(hub)
    sink.isOpen = false
    for (let index = 0; index < 9; index++) hub.publish(outgoingText(heavyFlashblock(5, index, 10_000)))
    expect(sink.said()).toEqual(['5.0', { reason: 'slow', after: at(5, 0), next: null }])
    expect(sink.isCutOff).toBe(true)
    expect(other.said()).toHaveLength(9)
    expect(hub.subscribers).toBe(1)
  })

  test('a slow subscriber may take its time for what it had to catch up with', () => {
    const hub = createHub({ maxWaitingBytes: 50_000 })
    for (let index = 0; index < 20; index++) hub.publish(outgoingText(heavyFlashblock(5, index, 10_000)))
    const sink = createTestSink()
    sink.isOpen = false
    hub.subscribe(sink, { encoding: 'plain', after: at(5, 0) })
    hub.publish(outgoingText(heavyFlashblock(5, 20, 10_000)))
    expect(sink.isCutOff).toBe(false)
  })

  test('a slow subscriber is cut off when the ring has left it behind', () => {
    const hub = createHub({ maxBlocks: 3 })
    const { sink } = subscribed(hub)
    sink.isOpen = false
    for (let block = 1; block < 9; block++) hub.publish(outgoingText(flashblock(block, 0)))
    expect(sink.said()).toEqual(['1.0', { reason: 'slow', after: at(1, 0), next: null }])
  })
})

describe('WebSocket frames', () => {
  test('WebSocket frames are the same bytes for every subscriber of an encoding', async () => {
    const hub = createHub()
    const sinks = Array.from({ length: 1_200 }, () => subscribed(hub).sink)
    hub.publish(outgoingText(flashblock(5, 0)))
    await expect.poll(() => sinks.every(({ frames }) => frames.length === 1), { timeout: 30_000 }).toBe(true)
    expect(new Set(sinks.map(({ frames }) => frames[0])).size).toBe(1)
  })

  test('let other work run between the slices of many subscribers', () => {
    const hub = createHub()
    const sinks = Array.from({ length: 1_200 }, () => subscribed(hub).sink)
    hub.publish(outgoingText(flashblock(5, 0)))
    expect(sinks.filter(({ frames }) => frames.length > 0)).toHaveLength(500)
  })

  test('say what came in, keyed by type, without base from index 1 on', () => {
    const receipt = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x5208', logs: [] }
    const hash = `0x${'11'.repeat(32)}`
    const hub = hubAfter([[5, 0]])
    const { sink } = subscribed(hub, { after: at(5, 0) })
    hub.publish(outgoingText(flashblock(5, 1, { metadata: { receipts: { [hash]: receipt } } })))
    const sent = JSON.parse(payloadOf(sink.frames[0]!).toString())
    expect(feedMessageFrom(sent)).toMatchObject({ type: 'flashblock' })
    expect(Object.keys(sent)).toEqual(['payload_id', 'index', 'diff', 'metadata'])
    const { type: _, ...body } = receipt
    expect(sent.metadata.receipts).toEqual({ [hash]: { Eip1559: body } })
    expect(JSON.stringify(sent)).not.toContain('null')
  })

  test('come in order when they are compressed', async () => {
    const hub = createHub()
    const { sink } = subscribed(hub, { encoding: 'brotli' })
    hub.publish(outgoingText(heavyFlashblock(5, 0, 400_000)))
    hub.publish(outgoingText(flashblock(5, 1)))
    await expect.poll(() => sink.frames.length, { timeout: 30_000 }).toBe(2)
    const texts = sink.frames.map((frame) => brotliDecompressSync(payloadOf(frame)).toString())
    expect(texts.map(saidBy)).toEqual(['5.0', '5.1'])
  })
})
