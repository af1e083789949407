// A whole list instead of a page of it, for whoever asks with `Accept: application/x-ndjson` or `text/csv`: one line a
// record, walked by cursor, never more than one piece of it in memory. A failure on the way cuts the connection, so
// that half a list never looks like a whole one.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Answer, Endpoint } from '../../contract/endpoint.ts'
import { addressGroup } from '../admission/admission.ts'

export type StreamFormat = 'csv' | 'ndjson'

const formats = new Map<string, StreamFormat>([
  ['application/x-ndjson', 'ndjson'],
  ['text/csv', 'csv'],
])

export type Ask = (paging: { page: number; limit: number; after: string | undefined }) => Promise<Answer<Endpoint>>

/** Records asked for at a time. */
const STRETCH = 500

export function streamFormatOf(accept: string | undefined): StreamFormat | undefined {
  return formats.get((accept ?? '').split(';')[0]!.trim().toLowerCase())
}

function contentTypeOf(format: StreamFormat): string {
  return format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8'
}

type Download = {
  readonly format: StreamFormat
  readonly ask: Ask
  /** For a browser that is to save it. */
  readonly fileName?: string
}

/** Starts to send a list; refuses where too many are under way. Between two pieces of it, others have their turn. */
export async function sendDownload(reply: FastifyReply, { format, ask, fileName }: Download): Promise<FastifyReply> {
  const { ip, server } = reply.request
  reply.raw.once('close', server.downloads.take(ip))
  const client = addressGroup(ip)
  const askAtTurn: Ask = async (paging) => {
    await server.turns.toGoOn(client)
    return ask(paging)
  }
  const first = await firstStretch(askAtTurn)
  if (fileName !== undefined) reply.header('content-disposition', `attachment; filename="${fileName}"`)
  return reply.header('content-type', contentTypeOf(format)).send(streamOf(format, askAtTurn, first))
}

export function streamOf(format: StreamFormat, ask: Ask, first: Answer<Endpoint>): Readable {
  return Readable.from(format === 'csv' ? csvLines(recordsOf(ask, first)) : jsonLines(recordsOf(ask, first)))
}

/** The first piece is asked for before anything is sent, so that a refusal still has its own form. */
export function firstStretch(ask: Ask): Promise<Answer<Endpoint>> {
  return ask({ page: 1, limit: STRETCH, after: undefined })
}

type Shown = Readonly<Record<string, unknown>>

async function* recordsOf(ask: Ask, first: Answer<Endpoint>): AsyncGenerator<readonly Shown[]> {
  for (let answer = first; ; ) {
    const { records, next } = stretchOf(answer)
    yield records
    if (!next) return
    answer = await ask({ page: 1, limit: STRETCH, after: next })
  }
}

/** The records of a paged element are its first list; elsewhere the answer's data are the records. */
function stretchOf(answer: Answer<Endpoint>): { records: readonly Shown[]; next: string | undefined } {
  const [element] = answer.data as readonly Shown[]
  if (typeof element?.nextCursor !== 'string') {
    return { records: answer.data as readonly Shown[], next: answer.nextCursor }
  }
  return { records: Object.values(element).find(Array.isArray) ?? [], next: element.nextCursor }
}

async function* jsonLines(stretches: AsyncIterable<readonly Shown[]>): AsyncGenerator<string> {
  for await (const records of stretches) {
    if (records.length > 0) yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
  }
}

async function* csvLines(stretches: AsyncIterable<readonly Shown[]>): AsyncGenerator<string> {
  let names: readonly string[] = []
  for await (const records of stretches) {
    if (names.length === 0 && records[0]) {
      names = Object.keys(records[0])
      yield line(names)
    }
    yield records.map((record) => line(names.map((name) => record[name]))).join('')
  }
}

function line(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // A spreadsheet would run what starts like this, in full width too; names of tokens are anybody's.
  const tame = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
