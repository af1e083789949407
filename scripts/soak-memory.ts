// npm run soak:memory -- [minutes] [transactions a second]
// Runs everything in one process, by default for an hour at 50 transactions a second, on a devnet in a process of its own, with readers of API,
// pages and JSON-RPC and with subscribers, and shows whether its resident memory stays flat after the first quarter: a plot of medians, and
// the slope with its error.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startFirstlight } from '../test/support/firstlight-process.ts'
import { freePort } from '../test/support/free-port.ts'
import { startTestServer } from '../test/support/server.ts'

const [minutes = '60', tps = '50'] = process.argv.slice(2)
const SAMPLE_MS = 2_000
const SUBSCRIBERS = 20
/** Medians that are shown, and that the slope is over; garbage collection makes single samples jump. */
const WINDOWS = 40
const FIRST_QUARTER = 0.25
/** A slope of less than two standard errors is noise. */
const ERRORS = 2

const devnet = await startFirstlight(['devnet'], { DEVNET_PORT: await freePort(), DEVNET_TPS: tps, LOG_LEVEL: 'error' })
const addressOf = (row: string) => new RegExp(`${row}\\s+(\\S+)`).exec(devnet.output())![1]!
const server = await startTestServer({
  RPC_URL: addressOf('Devnet'),
  FLASHBLOCKS_ENABLED: 'true',
  FLASHBLOCKS_URL: addressOf('Feed'),
  ROLES: 'indexer,api,rpc,relay,verifier,web',
  LOG_LEVEL: 'error',
})
const reader = fork(
  new URL('../test/support/attack/honest-client.ts', import.meta.url),
  [server.url, JSON.stringify(server.credentials)],
  { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
)
const counts = { events: 0, closed: 0 }
const sockets = Array.from({ length: SUBSCRIBERS }, (_, i) => subscribe(i % 2 === 0 ? '/ws' : '/flashblocks'))

try {
  const megabytes: number[] = []
  const samples = Math.round((Number(minutes) * 60_000) / SAMPLE_MS)
  const every = Math.ceil(samples / 12)
  for (let i = 0; i < samples; i++) {
    await pause(SAMPLE_MS)
    megabytes.push(residentMegabytes())
    if (i % every === every - 1)
      console.log(`${Math.round(((i + 1) * SAMPLE_MS) / 60_000)} min: ${megabytes.at(-1)!.toFixed(0)} MB`)
  }
  show(megabytes)
} finally {
  for (const socket of sockets) socket.terminate()
  reader.kill()
  await server.stop()
  await devnet.stop()
}

function subscribe(path: string): WebSocket {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path)
  socket.on('open', () => {
    if (path === '/ws')
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblockTransactions",true]}')
  })
  socket.on('message', () => counts.events++)
  socket.on('error', () => undefined)
  socket.on('close', () => counts.closed++)
  return socket
}

function residentMegabytes(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1_000
}

function show(megabytes: readonly number[]): void {
  const medians = Array.from({ length: WINDOWS }, (_, i) => {
    const part = megabytes.slice((i * megabytes.length) / WINDOWS, ((i + 1) * megabytes.length) / WINDOWS)
    return part.toSorted((a, b) => a - b)[part.length >> 1]!
  })
  const most = Math.max(...medians)
  for (const [i, median] of medians.entries()) {
    const minute = ((i + 1) * Number(minutes)) / WINDOWS
    console.log(
      `${minute.toFixed(1).padStart(6)} min ${'█'.repeat(Math.round((60 * median) / most))} ${median.toFixed(0)} MB`,
    )
  }
  const later = medians.slice(Math.ceil(WINDOWS * FIRST_QUARTER))
  const { slope, error } = leastSquares(later)
  const perHour = (slope * WINDOWS * 60) / Number(minutes)
  const errorPerHour = (error * WINDOWS * 60) / Number(minutes)
  const isFlat = slope < ERRORS * error
  console.log(
    `after the first quarter: ${Math.min(...later).toFixed(0)} to ${Math.max(...later).toFixed(0)} MB, ` +
      `slope ${perHour.toFixed(1)} ± ${errorPerHour.toFixed(1)} MB an hour: ${isFlat ? 'flat' : 'GROWING'}; ` +
      `${counts.events} subscriber events, ${counts.closed} sockets closed`,
  )
  process.exitCode = isFlat ? 0 : 1
}

/** The slope of values at 0, 1, 2, …, and its standard error. */
function leastSquares(values: readonly number[]): { slope: number; error: number } {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0)
  const slope = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0) / spread
  const residues = values.reduce((sum, value, i) => sum + (value - mean - slope * (i - middle)) ** 2, 0)
  return { slope, error: Math.sqrt(residues / (values.length - 2) / spread) }
}
