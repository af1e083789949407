// A visitor as any other, in a process of its own: it calls at `pending`, reads signed lists and looks at pages, forty times a second, and
// notes how long each took. Its parent tells it when a measurement begins.

import type { ApiCredentials } from '../../../src/client/sign.ts'
import { signedHeaders } from '../../../src/client/sign.ts'
import { HONEST_ADDRESS, type Response, visitorFrom } from './loopback.ts'

export type HonestFigures = {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** What was refused, failed or came to nothing. */
  readonly refused: readonly string[]
}

const EVERY_MS = 25

const [url = '', credentials = '{}'] = process.argv.slice(2)
const key = JSON.parse(credentials) as ApiCredentials
const visitor = visitorFrom(HONEST_ADDRESS, url, 32)
let tookMs: number[] = []
let refused: string[] = []

const asks: (() => Promise<Response>)[] = [
  () => call('eth_call', { to: '0x4200000000000000000000000000000000000015', data: '0x8381f58a' }, 'pending'),
  () => signed('/api/v5/explorer/block/block-list?chainShortName=DEV&limit=20'),
  () => call('eth_getBalance', '0x4200000000000000000000000000000000000016', 'pending'),
  () => visitor.send('/txs'),
  () => call('eth_call', { to: '0x4200000000000000000000000000000000000006', data: '0x313ce567' }, 'pending'),
  () => signed('/api/v5/explorer/transaction/transaction-list?chainShortName=DEV&limit=20'),
  () => call('eth_blockNumber'),
  () => visitor.send('/blocks'),
]

function call(method: string, ...params: readonly unknown[]): Promise<Response> {
  return visitor.rpc({ jsonrpc: '2.0', id: 1, method, params })
}

async function signed(target: string): Promise<Response> {
  const timestamp = new Date().toISOString()
  return visitor.send(target, { headers: await signedHeaders(key, { timestamp, method: 'GET', target, body: '' }) })
}

async function askOnce(ask: () => Promise<Response>, index: number): Promise<void> {
  const startMs = performance.now()
  try {
    const { status, body } = await ask()
    if (status !== 200 || /^\{"jsonrpc":"2\.0","id":\d+,"error"/.test(body)) {
      refused.push(`${index}: ${status} ${body.slice(0, 200)}`)
    }
  } catch (error) {
    refused.push(`${index}: ${(error as Error).message}`)
  }
  tookMs.push(performance.now() - startMs)
}

let next = 0
setInterval(() => {
  const index = next++ % asks.length
  void askOnce(asks[index]!, index)
}, EVERY_MS)

process.on('message', (message: 'begin' | 'figures') => {
  if (message === 'figures') {
    const sorted = tookMs.toSorted((a, b) => a - b)
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
    const figures: HonestFigures = { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), refused }
    process.send!(figures)
  }
  tookMs = []
  refused = []
})
