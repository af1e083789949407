import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { Answer, Endpoint } from '../../contract/endpoint.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics.ts'
import { createApp } from '../app.ts'
import { type Ask, firstStretch, type StreamFormat, sendDownload, streamFormatOf, streamOf } from './streams.ts'

function record(i: number) {
  return { height: String(i), isLast: false, name: `token ${i}` }
}

/** A paged list of this many records, in the form that handlers give. */
function listOf(size: number): Ask {
  return async ({ limit, after }) => {
    const from = Number(after ?? 0)
    const tokenList = Array.from({ length: Math.min(limit, size - from) }, (_, i) => record(from + i))
    const next = from + tokenList.length
    return { data: [{ page: '1', limit: '1', totalPage: '1', nextCursor: next < size ? String(next) : '', tokenList }] }
  }
}

async function streamed(format: StreamFormat, ask: Ask) {
  return text(streamOf(format, ask, await firstStretch(ask)))
}
function answering(...data: unknown[]): Ask {
  return async () => ({ data }) as Answer<Endpoint>
}

describe('a stream', () => {
  test.each([0, 1, 499, 500, 501, 1_700])('a stream of %s records has them all, once, in order', async (size) => {
    const lines = (await streamed('ndjson', listOf(size))).split('\n').filter(Boolean)
    expect(lines.map((line) => JSON.parse(line))).toEqual(Array.from({ length: size }, (_, i) => record(i)))
    const table = (await streamed('csv', listOf(size))).split('\r\n').filter(Boolean)
    expect(table).toHaveLength(size === 0 ? 0 : size + 1)
  })

  test('a stream of an answer without pages is its data', async () => {
    expect(await streamed('ndjson', answering({ a: 1 }, { a: 2 }))).toBe('{"a":1}\n{"a":2}\n')
  })

  test('a stream of a table quotes what needs it and tames what a spreadsheet would run', async () => {
    const rows = [{ name: 'a,"b"\nc', symbol: '=cmd()', topics: ['0x1', '0x2'], other: '＝cmd()' }]
    expect(await streamed('csv', answering(...rows))).toBe(
      'name,symbol,topics,other\r\n"a,""b""\nc",\'=cmd(),"[""0x1"",""0x2""]",\'＝cmd()\r\n',
    )
  })

  test('a stream that fails on the way does not end as if it were whole', async () => {
    const ask: Ask = async (paging) => {
      if (paging.after) throw new Error('the database went away')
      return listOf(10_000)(paging)
    }
    await expect(streamed('ndjson', ask)).rejects.toThrow('the database went away')
  })
})

test('only those who ask for a stream get one', () => {
  expect(streamFormatOf('text/csv; charset=utf-8')).toBe('csv')
  expect(streamFormatOf('application/x-ndjson')).toBe('ndjson')
  for (const accept of [undefined, '*/*', 'application/json', 'text/html,text/csv', 'constructor', '']) {
    expect(streamFormatOf(accept)).toBeUndefined()
  }
})

test('an address that downloads four lists is refused a fifth, and others have their turn between two pieces', async () => {
  const app = createApp({
    log: createLog({ level: 'silent', pretty: false }),
    metrics: createMetrics(),
    trustedProxies: [],
    maxConnections: 100,
  })
  const endless: Ask = async () => ({ data: [record(1)], nextCursor: 'more' }) as Answer<Endpoint>
  app.get('/list', (_request, reply) => sendDownload(reply, { format: 'ndjson', ask: endless }))
  app.get('/other', async () => 'answered')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  try {
    const download = () => fetch(`${url}/list`, { signal: leaving.signal })
    const downloads = await Promise.all(Array.from({ length: 4 }, download))
    expect(downloads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { body } of downloads) void body!.pipeTo(new WritableStream()).catch(() => undefined)
    const fifth = await download()
    expect(fifth.status).toBe(429)
    expect(await fifth.json()).toMatchObject({ msg: 'One address may have 4 downloads at a time.' })
    expect(await (await fetch(`${url}/other`)).text()).toBe('answered')
  } finally {
    leaving.abort()
    await app.close()
  }
})
