import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { EchoWorker } from './echo-worker-for-tests.ts'
import { startWorker } from './start-worker.ts'

function startEcho(input: Partial<EchoWorker['input']> = {}) {
  const echoes: string[] = []
  const lines: Record<string, unknown>[] = []
  const { promise: death, resolve: onDeath } = Promise.withResolvers<Error>()
  let deaths = 0
  const worker = startWorker<EchoWorker>({
    name: 'echo',
    file: new URL('./echo-worker-for-tests.ts', import.meta.url),
    input: { greeting: 'hello', ...input },
    log: pino({ level: 'info', base: null }, { write: (line) => void lines.push(JSON.parse(line)) }),
    onMessage: ({ text }) => void echoes.push(text),
    onDeath: (cause) => {
      deaths++
      onDeath(cause)
    },
  })
  return { worker, echoes, lines, death, deaths: () => deaths }
}

test('a worker reports ready with its own value, answers messages in order and ends when asked to', async () => {
  const { worker, echoes, deaths } = startEcho()
  expect(await worker.ready).toEqual({ greeting: 'hello' })
  for (const text of ['a', 'b', 'c']) worker.post({ type: 'echo', text })
  expect(await worker.stop()).toBeUndefined()
  expect(echoes).toEqual(['a', 'b', 'c'])
  expect(await worker.ended).toBeUndefined()
  expect(deaths()).toBe(0)
})

test('messages that are posted before the worker listens are not lost, even when stop follows at once', async () => {
  const { worker, echoes } = startEcho({ startMs: 100 })
  worker.post({ type: 'echo', text: 'early' })
  await worker.stop()
  expect(echoes).toEqual(['early'])
})

test('log lines of a worker appear in the log of its parent, at the level of the parent', async () => {
  const { worker, lines } = startEcho()
  worker.post({ type: 'echo', text: 'a' })
  await worker.stop()
  expect(lines).toEqual([expect.objectContaining({ level: 30, msg: 'echoed', text: 'a' })])
})

test('a worker that cannot start rejects ready and reports its death with the cause', async () => {
  const { worker, death } = startEcho({ fails: 'at start' })
  await expect(worker.ready).rejects.toThrow('cannot start')
  expect((await death).message).toBe('cannot start')
})

test('a worker that throws while running reports its death with the cause, once', async () => {
  const { worker, death, deaths } = startEcho()
  worker.post({ type: 'throw' })
  expect((await death).message).toBe('thrown while running')
  expect((await worker.ended)?.message).toBe('thrown while running')
  worker.post({ type: 'echo', text: 'nobody answers' })
  await worker.stop()
  expect(deaths()).toBe(1)
})

test('a worker that exits without an error reports its death with the exit code', async () => {
  const { worker, death } = startEcho()
  worker.post({ type: 'exit' })
  expect((await death).message).toBe('The echo thread ended with code 7')
})

test('an error while stopping is the result of stop, not a death', async () => {
  const { worker, deaths } = startEcho({ fails: 'at stop' })
  await worker.ready
  expect((await worker.stop())?.message).toBe('cannot stop')
  expect(deaths()).toBe(0)
})

test('kill ends a worker that is in an endless loop, and is not a death', async () => {
  const { worker, deaths } = startEcho()
  await worker.ready
  worker.post({ type: 'spin' })
  await worker.kill()
  expect(await worker.ended).toBeUndefined()
  expect(deaths()).toBe(0)
})
