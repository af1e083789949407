import { expect, test } from 'vitest'
import { createMessageReader, messageHeader } from './pipe-messages.ts'

function message(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([messageHeader(bytes.length), bytes])
}

test('messages are whole however the pipe cuts them', () => {
  const stream = Buffer.concat([message('first'), message(''), message('zweites ü')])
  for (const size of [1, 3, stream.length]) {
    const received: string[] = []
    const reader = createMessageReader(100, { onMessage: (text) => received.push(text) })
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size))
    expect(received).toEqual(['first', '', 'zweites ü'])
  }
})

test('a message over the limit is reported once, before its bytes arrive, and ends the reading', () => {
  const tooLong: number[] = []
  const received: string[] = []
  const reader = createMessageReader(4, {
    onMessage: (text) => received.push(text),
    onTooLong: (length) => tooLong.push(length),
  })
  reader.push(messageHeader(5))
  reader.push(message('ok'))
  expect(tooLong).toEqual([5])
  expect(received).toEqual([])
})
