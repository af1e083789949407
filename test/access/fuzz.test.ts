// 20,000 requests that nobody would send in good faith. None may cost more than a refusal.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FuzzRequest, fuzzRequest } from '../support/fuzz-requests.ts'
import { answerToBytes, drip, rawBytes } from '../support/raw-bytes.ts'
import { createSender, type Got, type Sender } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const SEED = 20_261_115
/** Requests that are under way at once. */
const BATCH = 20
const REQUESTS = 18_000
const STREAMS = 2_000
const CLOSE_TIMEOUT_MS = 20_000
const PAGE_BYTES = 4_096
/** So small that the garbage collector must work: a leak grows in spite of it, and a large enough one ends the server. */
const SMALL_HEAP = '--max-old-space-size=128 --max-semi-space-size=4'
/** A leak of 10 kB a request would be more. */
const GROWTH_BYTES = 128 * 1024 * 1024

let server: TestServer
let sender: Sender
let slowSenders: Promise<string[]>
let warmBytes: number | undefined
const dripping = new AbortController()

beforeAll(async () => {
  server = await startTestServer({
    RATE_LIMIT_IP: '0',
    RATE_LIMIT_KEY: '0',
    NODE_OPTIONS: SMALL_HEAP,
  })
  sender = createSender(server, { connections: BATCH })
  // They take as long as the server's timeout, so they drip while the rest goes on.
  slowSenders = Promise.all(
    ['GET / HTTP/1.1\r\nX: ', 'GET /', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'].map((start) =>
      drip(server.url, start, dripping.signal),
    ),
  )
  console.log(`fuzz: seed ${SEED}`)
})

afterAll(async () => {
  dripping.abort()
  sender?.close()
  await server?.stop()
})

test(`the server answers each of ${REQUESTS} generated requests with less than a 500, or with 50001`, {
  timeout: 600_000,
}, async () => {
  let runs = 0
  const property = fc.asyncProperty(fc.array(fuzzRequest, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
    const answers = await Promise.all(batch.map(answerOf))
    expect(answers.filter((answer) => answer !== undefined)).toEqual([])
    runs += 1
    if (runs === REQUESTS / BATCH / 3) warmBytes = residentBytes()
  })
  await fc.assert(property, { seed: SEED, numRuns: REQUESTS / BATCH, endOnFailure: true })
})

test(`the server closes each of ${STREAMS} malformed streams of bytes`, { timeout: 600_000 }, async () => {
  const property = fc.asyncProperty(fc.array(rawBytes, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
    const answers = await Promise.all(batch.map((bytes) => answerToBytes(server.url, bytes, CLOSE_TIMEOUT_MS)))
    expect(answers.filter((answer) => !isHarmlessStream(answer))).toEqual([])
  })
  await fc.assert(property, { seed: SEED, numRuns: STREAMS / BATCH, endOnFailure: true })
})

test('the server cuts off those who send a byte now and then', { timeout: 300_000 }, async () => {
  for (const answer of await slowSenders) expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"50004"/)
})

test('the server is alive after all that, logged no bug, and has not grown', async () => {
  expect(await sender.unsigned({ target: '/health' })).toMatchObject({ status: 200 })
  const complaints = server
    .output()
    .split('\n')
    .filter((line) => /\bbug\b|unhandled|uncaught|warning|"level":"(error|fatal)"/i.test(line))
  expect(complaints).toEqual([])
  const nowBytes = residentBytes()
  if (warmBytes === undefined || nowBytes === undefined) {
    console.log('fuzz: memory is not looked at, for want of /proc')
    return
  }
  console.log(`fuzz: ${toMegabytes(warmBytes)} MB resident after a third, ${toMegabytes(nowBytes)} MB at the end`)
  expect(nowBytes - warmBytes).toBeLessThan(GROWTH_BYTES)
})

/** Undefined when all is well, otherwise the request with what came back. */
async function answerOf({ isSigned, ...request }: FuzzRequest): Promise<unknown> {
  try {
    const got = await (isSigned ? sender.signed(request) : sender.unsigned(request))
    return isHarmless(got) ? undefined : { request, status: got.status, text: got.text.slice(0, 500) }
  } catch (error) {
    return { request, error: String(error) }
  }
}

const JSON_RPC_INTERNAL_ERROR = /"code":-32603\b/

/** What the home page says while there is no index. */
const NOT_READY_PAGE = '<title>Not ready yet'

function isHarmless({ status, code, text }: Got): boolean {
  return (
    (status < 500 || (status === 503 && (code === '50001' || text.includes(NOT_READY_PAGE)))) &&
    !JSON_RPC_INTERNAL_ERROR.test(text)
  )
}

function isHarmlessStream(answer: string): boolean {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].every(
    ([, status]) => Number(status) < 500 || (status === '503' && answer.includes(NOT_READY_PAGE)),
  )
}

function residentBytes(): number | undefined {
  try {
    return Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return undefined
  }
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
