// A Flashblocks RPC node under load for a long time: its feed breaks off again and again, its node goes away and comes back, and everything
// that it says of pending blocks is compared with what the node says once they are sealed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { wireTo } from './cut-off.ts'
import { type FirstlightProcess, startFirstlight } from './firstlight-process.ts'
import { freePort } from './free-port.ts'

export type SoakOptions = {
  minutes: number
  tps: number
  reconnectEveryMs: number
  restartEveryMs: number
  /** After a restart of the node what was preconfirmed may be lost with it: nothing is compared for so long. */
  pauseAfterRestartMs: number
  memoryEveryMs: number
  /** Goes on until so many blocks are compared, though not for much longer. */
  leastCompared?: number
  report: (line: string) => void
}

export type SoakResult = {
  /** Pending blocks whose last sample was the sealed block itself, compared value by value. */
  compared: number
  values: number
  divergences: string[]
  /** Requests that were refused, with the reason. */
  refusals: string[]
  /** Lines of the server's log that should not be, and its death. */
  errors: string[]
  reconnects: number
  restarts: number
  /** Megabytes resident: halfway, and at the end. */
  middleMb: number
  endMb: number
  blocksChanged: number
}

const SAMPLE_EVERY_MS = 150
const REPORT_EVERY_MS = 60_000
const ADDRESSES_A_SAMPLE = 4
const LONGEST_MORE_MS = 90_000

export async function soakPending(options: SoakOptions): Promise<SoakResult> {
  const { minutes, tps, reconnectEveryMs, restartEveryMs, pauseAfterRestartMs, memoryEveryMs, report } = options
  const { leastCompared = 0 } = options
  const devnetPort = await freePort()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'firstlight-soak-'))
  const startNode = () =>
    startFirstlight(
      ['devnet'],
      { DEVNET_PORT: devnetPort, DEVNET_TPS: String(tps), LOG_LEVEL: 'warn' },
      {
        dataDir: folder,
        keepData: true,
      },
    )
  let devnet = await startNode()
  const line = await wireTo({ host: '127.0.0.1', port: Number(devnetPort) })
  const server = await startFirstlight(['start'], {
    PORT: port,
    RPC_URL: `http://127.0.0.1:${devnetPort}`,
    FLASHBLOCKS_ENABLED: 'true',
    FLASHBLOCKS_URL: `ws://127.0.0.1:${line.port}/flashblocks`,
    ROLES: 'rpc,relay',
    RATE_LIMIT_IP: '0',
    LOG_LEVEL: 'warn',
  })
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/ready`).then((answer) => answer.text())).includes('pending chain'))
    await sleep(SAMPLE_EVERY_MS)
  const comparison = createComparison({ url, nodeUrl: `http://127.0.0.1:${devnetPort}` })
  const result: SoakResult = {
    ...{ compared: 0, values: 0, divergences: [], refusals: [], errors: [], reconnects: 0, restarts: 0 },
    ...{ middleMb: 0, endMb: 0, blocksChanged: 0 },
  }
  const memory: number[] = []
  const startedMs = Date.now()
  const endMs = startedMs + minutes * 60_000
  const due = { reconnect: startedMs + reconnectEveryMs, restart: startedMs + restartEveryMs, report: 0, memory: 0 }
  try {
    const isOver = () =>
      Date.now() > endMs && (comparison.figures.compared >= leastCompared || Date.now() > endMs + LONGEST_MORE_MS)
    while (!isOver() && server.exitCode() === null) {
      const now = Date.now()
      if (now >= due.memory) {
        memory.push(residentMb(server.pid))
        due.memory = now + memoryEveryMs
      }
      if (now >= due.reconnect) {
        line.cut()
        line.mend()
        result.reconnects++
        due.reconnect = now + reconnectEveryMs
      }
      if (now >= due.restart && now < endMs) {
        await devnet.stop()
        devnet = await startNode()
        comparison.forget()
        result.restarts++
        due.restart = now + restartEveryMs
        await sleep(pauseAfterRestartMs)
      }
      if (now >= due.report) {
        due.report = now + REPORT_EVERY_MS
        const { compared, values, divergences, refusals } = comparison.figures
        report(
          `${Math.round((now - startedMs) / 1000)} s: ${compared} blocks, ${values} values, ${divergences.length} divergences, ${refusals.length} refusals, ${memory.at(-1)} MB resident`,
        )
      }
      await comparison.step()
      await sleep(SAMPLE_EVERY_MS)
    }
    const { counts } = (await statusOf(url)).preconfirmations
    return {
      ...result,
      ...comparison.figures,
      errors: errorsIn(server),
      middleMb: middle(memory.slice(memory.length >> 2, (memory.length >> 2) + (memory.length >> 2))),
      endMb: middle(memory.slice(-Math.max(1, memory.length >> 2))),
      blocksChanged: counts.blocksChanged,
    }
  } finally {
    await server.stop()
    await devnet.stop()
    await line.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Call = { method: string; params: unknown[] }
type Block = { hash: string; number: string; transactions: { from: string; to: string | null; hash: string }[] }
type Sample = { block: Block; receipts: unknown; addresses: string[]; values: unknown[] }

async function batch(url: string, calls: readonly Call[]): Promise<unknown[]> {
  if (calls.length === 0) return []
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  return answers
    .toSorted((one, other) => one.id - other.id)
    .map(({ result, error }) => {
      if (error) throw new Error(error.message)
      return result
    })
}

function stateCalls(addresses: readonly string[], at: unknown): Call[] {
  // No nonces: at `pending` they count what waits in the pool too.
  return addresses.flatMap((address) => [
    { method: 'eth_getBalance', params: [address, at] },
    { method: 'eth_getCode', params: [address, at] },
    { method: 'eth_getStorageAt', params: [address, '0x2', at] },
  ])
}

function createComparison({ url, nodeUrl }: { url: string; nodeUrl: string }) {
  const samples = new Map<number, Sample>()
  const figures = { compared: 0, values: 0, divergences: [] as string[], refusals: [] as string[] }
  let addresses: string[] = []

  /** One batch, so one moment. */
  const take = async (): Promise<void> => {
    const [block, receipts, ...values] = await batch(`${url}/flashblocks`, [
      { method: 'eth_getBlockByNumber', params: ['pending', true] },
      { method: 'eth_getBlockReceipts', params: ['pending'] },
      ...stateCalls(addresses, 'pending'),
    ])
    const sample = { block: block as Block, receipts, addresses, values }
    samples.set(Number(sample.block.number), sample)
    const touched = sample.block.transactions.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])])
    addresses = [...new Set(touched)].toSorted(() => Math.random() - 0.5).slice(0, ADDRESSES_A_SAMPLE)
  }

  const compare = async (height: number, sample: Sample): Promise<void> => {
    const at = { blockHash: sample.block.hash }
    const [sealed, receipts, ...values] = await batch(nodeUrl, [
      { method: 'eth_getBlockByNumber', params: [sample.block.number, true] },
      { method: 'eth_getBlockReceipts', params: [sample.block.number] },
    ])
    if ((sealed as Block | null)?.hash !== sample.block.hash) return
    values.push(...(await batch(nodeUrl, stateCalls(sample.addresses, at))))
    figures.compared++
    figures.values += values.length + sample.block.transactions.length
    for (const [what, ours, theirs] of [
      ['block', sample.block, sealed],
      ['receipts', sample.receipts, receipts],
      ['state', sample.values, values],
    ] as const) {
      if (sorted(ours) === sorted(theirs)) continue
      figures.divergences.push(
        `${what} of ${height}: ${sorted(ours).slice(0, 2_000)} is not ${sorted(theirs).slice(0, 2_000)}`,
      )
    }
  }

  return {
    figures,
    forget: () => samples.clear(),
    step: async (): Promise<void> => {
      await take().catch((error: Error) => figures.refusals.push(error.message))
      const newest = Math.max(...samples.keys())
      for (const [height, sample] of samples) {
        if (height > newest - 2) continue
        samples.delete(height)
        await compare(height, sample)
      }
    },
  }
}

/** The same whatever the order of the fields. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

type Status = { preconfirmations: { counts: { blocksChanged: number } } }
async function statusOf(url: string): Promise<Status> {
  return (await fetch(`${url}/status`)).json() as Promise<Status>
}

function errorsIn(server: FirstlightProcess): string[] {
  return [
    ...(server.exitCode() === null ? [] : [`it ended with code ${server.exitCode()}`]),
    ...server
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"|unhandled|UnhandledPromise/i.test(line)),
  ]
}

function residentMb(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024)
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
