// What an operator sees of the index: how the node is used and why, what is missing, and how it goes on.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/engine/open.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { beginningOf, hasTape, RECORDED_CHAIN, startTape, type Tape } from '../support/tape.ts'

const HEAD = 200
const SLOW = 300_000
const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-status-'))
let tape: Tape
beforeAll(async () => {
  if (hasTape) tape = await startTape(beginningOf(RECORDED_CHAIN, HEAD + 1))
})
afterAll(() => tape?.stop())

function start(startBlock: number) {
  return startTestServer(
    { ROLES: 'indexer,api', RPC_URL: tape.url, BALANCE_SAMPLES: '0', START_BLOCK: String(startBlock) },
    { dataDir, keepData: true },
  )
}

async function until(server: TestServer, path: string, isSo: (text: string) => boolean): Promise<string> {
  for (const giveUpMs = Date.now() + SLOW / 2; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const text = await (await fetch(server.url + path)).text()
    if (isSo(text)) return text
    if (Date.now() > giveUpMs) throw new Error(`${path} still says ${text}`)
  }
}

function isFollowing(text: string): boolean {
  const { index, heights } = JSON.parse(text)
  return index.state === 'following' && heights.indexed === HEAD
}

test.runIf(hasTape)(
  'status shows how the indexer asks the node and why, in words and in figures',
  { timeout: SLOW },
  async () => {
    const server = await start(150)
    const { index } = JSON.parse(await until(server, '/status', isFollowing))
    expect(index).toMatchObject({ start: 150, indexed: HEAD, head: HEAD, missing: [], trouble: null })
    expect(index.node).toMatchObject([
      {
        url: expect.stringContaining('127.0.0.1'),
        trouble: null,
        profile: {
          clientVersion: 'tape/1',
          receipts: { method: 'eth_getBlockReceipts', reason: expect.stringContaining('offered') },
          traces: { method: 'debug_traceBlockByNumber', reason: expect.stringContaining('offered') },
        },
      },
    ])
    const metrics = await until(server, '/metrics', (text) => text.includes('firstlight_node_requests_total{'))
    expect(metrics).toMatch(
      /firstlight_node_requests_total\{url="[^"]+",method="eth_getBlockByNumber",outcome="answered"\} \d/,
    )
    expect(metrics).toMatch(/firstlight_index_height 200\n/)
    await server.stop()
  },
)

test.runIf(hasTape)(
  'status shows what is missing below a lowered start, until it is filled',
  { timeout: SLOW },
  async () => {
    // No block with such receipts is taken, so that the gap stays open for as long as it is looked at.
    await tape.control({ fault: { kind: 'shortReceipts', p: 1 } })
    const server = await start(0)
    await until(server, '/ready', (text) => text.includes('to 149 are not indexed yet'))
    expect(JSON.parse(await until(server, '/status', () => true)).gaps).toMatchObject([{ to: 149 }])
    await tape.control({ fault: null })
    expect(JSON.parse(await until(server, '/ready', (text) => JSON.parse(text).ready))).toEqual({
      ready: true,
      reasons: [],
    })
    expect(JSON.parse(await until(server, '/status', isFollowing))).toMatchObject({ gaps: [], index: { missing: [] } })
    await server.stop()
  },
)

test.runIf(hasTape)(
  'an index of an older version is not ready, and says so with its progress, until it is derived again',
  { timeout: SLOW },
  async () => {
    const database = await openDatabase({ url: undefined, dataDir, onIdleError: () => {} })
    await database.run('delete from derivations')
    await database.run('delete from native_history where height % 2 = 1')
    await database.close()
    await tape.control({ fault: { kind: 'shortReceipts', p: 1 } })
    const server = await start(0)
    const { ready, reasons } = JSON.parse(await until(server, '/ready', (text) => text.includes('older version')))
    expect({ ready, reasons: reasons.join() }).toEqual({
      ready: false,
      reasons: expect.stringMatching(/derived again, 0 % done \(0 of 201 blocks\): .*native balances/),
    })
    await until(server, '/metrics', (text) => text.includes('firstlight_index_outdated 1\n'))
    await until(server, '/metrics', (text) => text.includes('firstlight_index_blocks_to_derive_again 201\n'))
    const status = JSON.parse(await until(server, '/status', () => true))
    expect(status).toMatchObject({
      outdated: expect.stringContaining('older version'),
      index: { derivation: { from: 0 } },
    })
    await tape.control({ fault: null })
    await until(server, '/ready', (text) => JSON.parse(text).ready)
    expect(await until(server, '/metrics', (text) => text.includes('firstlight_index_outdated 0'))).toContain(
      'firstlight_index_blocks_to_derive_again 0',
    )
    await server.stop()
  },
)
