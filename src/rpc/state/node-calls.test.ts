import { expect, test } from 'vitest'
import { JsonText } from '../../lib/json/json-rpc.ts'
import { createLog } from '../../lib/log.ts'
import type { Answer, RpcCall } from '../../upstream/node/json-rpc.ts'
import { createNodeAnswerCache, createNodeCalls } from './node-calls.ts'

type Reply = (call: RpcCall) => Answer

function createCalls(reply: Reply, { fails = false, drops = 0 } = {}) {
  const batches: string[][] = []
  const calls = createNodeCalls({
    node: {
      async ask(batch) {
        batches.push(batch.map(({ method }) => method))
        if (fails) throw new Error('socket hang up')
        return batch.slice(0, batch.length - drops).map(reply)
      },
    },
    nodeAnswers: createNodeAnswerCache(),
    log: createLog({ level: 'silent', pretty: false }),
    signal: new AbortController().signal,
  })
  return { ...calls, batches }
}

function result(value: unknown): Answer {
  return { type: 'result', result: value }
}

test('calls of one round go to the node in one batch, and each gets its own answer', async () => {
  const { ask, batches } = createCalls(({ method, params }) => result([method, ...params]))
  expect(await Promise.all([ask('a', [1]), ask('b', [2]), ask('a', [3])])).toEqual([
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ])
  await ask('c', [])
  expect(batches).toEqual([['a', 'b', 'a'], ['c']])
})

test('a refusal of the node reaches the client with its code, words and data', async () => {
  const { ask } = createCalls(() => ({ type: 'refused', code: 3, message: 'execution reverted', data: '0x08c3' }))
  await expect(ask('eth_call', [])).rejects.toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c3' })
})

test('one refusal in a batch leaves the others their answers', async () => {
  const { ask } = createCalls(({ method }) =>
    method === 'bad' ? { type: 'refused', code: -1, message: 'no', data: undefined } : result(1),
  )
  const settled = await Promise.allSettled([ask('good', []), ask('bad', []), ask('good', [])])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a node that does not answer fails every call of the batch without its own words', async () => {
  const { ask } = createCalls(() => result(1), { fails: true })
  const settled = await Promise.allSettled([ask('a', []), ask('b', [])])
  for (const each of settled) {
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'the node does not answer' } })
  }
})

test('a node that answers fewer calls than it was asked leaves none of them waiting', async () => {
  const { ask } = createCalls(() => result(1), { drops: 1 })
  const settled = await Promise.allSettled([ask('a', []), ask('b', [])])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('a cached answer is asked for once for each method and parameters', async () => {
  const { askCached, batches } = createCalls(({ params }) => result({ params }))
  expect(await askCached('m', ['x'])).toEqual(new JsonText('{"params":["x"]}'))
  expect(await askCached('m', ['x'])).toEqual(new JsonText('{"params":["x"]}'))
  expect(await askCached('m', ['y'])).toEqual(new JsonText('{"params":["y"]}'))
  expect(await askCached('n', ['x'])).toEqual(new JsonText('{"params":["x"]}'))
  expect(batches).toHaveLength(3)
})

test('null is never cached: what does not exist yet may exist a moment later', async () => {
  const answers = [result(null), result('found')]
  const { askCached } = createCalls(() => answers.shift()!)
  expect(await askCached('m', [])).toBeNull()
  expect(await askCached('m', [])).toEqual(new JsonText('"found"'))
})

test('an answer over fifty thousand characters is given and not cached', async () => {
  const sizes = [50_001, 10]
  const { askCached, batches } = createCalls(() => result('x'.repeat(sizes.shift()! - 2)))
  expect(((await askCached('m', [])) as JsonText).text).toHaveLength(50_001)
  expect(((await askCached('m', [])) as JsonText).text).toHaveLength(10)
  expect(((await askCached('m', [])) as JsonText).text).toHaveLength(10)
  expect(batches).toHaveLength(2)
})
