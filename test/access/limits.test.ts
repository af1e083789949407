// Limits of the spec that no single parameter has: spans, ranges, numbers of hashes, addresses and libraries. An accepted request is
// one that reached its handler: code 50001.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestOf } from '../support/contract-request.ts'
import { A_HASH, AN_ADDRESS, libraries, manyHashes, type Row, sampleOf, table } from '../support/contract-table.ts'
import { ACCEPTED } from '../support/requests.ts'
import { createSender, type Sender } from '../support/sender.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

let server: TestServer
let sender: Sender

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_IP: '0', RATE_LIMIT_KEY: '0' })
  sender = createSender(server)
})

afterAll(async () => {
  sender?.close()
  await server?.stop()
})

describe('limits across values', () => {
  const rowOf = (id: string): Row => table.find((row) => row.id === id)!
  const answerTo = (id: string, given: Record<string, unknown>) =>
    sender.signed(requestOf(rowOf(id), { ...sampleOf(rowOf(id)), ...given }))

  test('E1 takes a span of one year and not a millisecond more', async () => {
    const startTime = 1_700_000_000_000
    const span = (ms: number) => answerTo('E1', { startTime: String(startTime), endTime: String(startTime + ms) })
    expect(await span(YEAR_MS)).toMatchObject(ACCEPTED)
    expect(await span(0)).toMatchObject(ACCEPTED)
    expect(await span(YEAR_MS + 1)).toMatchObject({ code: '51000', msg: expect.stringMatching(/endTime|startTime/) })
    expect(await span(-1)).toMatchObject({ code: '51000', msg: expect.stringMatching(/endTime|startTime/) })
  })

  test('E1 orders by value only for token_20', async () => {
    expect(await answerTo('E1', { orderBy: 'totalMarketCap', protocolType: 'token_20' })).toMatchObject(ACCEPTED)
    const got = await answerTo('E1', { orderBy: 'totalMarketCap', protocolType: 'token_721' })
    expect(got).toMatchObject({ code: '51000', msg: expect.stringContaining('orderBy') })
  })

  test('E2 compares amounts as numbers, exactly', async () => {
    expect(await answerTo('E2', { minAmount: '9', maxAmount: '10' })).toMatchObject(ACCEPTED)
    expect(await answerTo('E2', { minAmount: '1.50', maxAmount: '1.5' })).toMatchObject(ACCEPTED)
    const above = [
      ['10', '9'],
      ['1.000000000000000001', '1'],
      ['100000000000000000000.5', '100000000000000000000.4'],
    ] as const
    for (const [minAmount, maxAmount] of above) {
      expect(await answerTo('E2', { minAmount, maxAmount })).toMatchObject({
        code: '51000',
        msg: expect.stringContaining('minAmount'),
      })
    }
  })

  test.for(['E3', 'E4', 'E19'])('the endpoint %s takes one block and no range that runs backwards', async (id) => {
    expect(await answerTo(id, { startBlockHeight: '7', endBlockHeight: '7' })).toMatchObject(ACCEPTED)
    const got = await answerTo(id, { startBlockHeight: '8', endBlockHeight: '7' })
    expect(got).toMatchObject({ code: '51000', msg: expect.stringContaining('startBlockHeight') })
  })

  test.for(['E10', 'E11', 'E13'])('the endpoint %s takes 20 hashes and not 21', async (id) => {
    expect(await answerTo(id, { txId: manyHashes(20) })).toMatchObject(ACCEPTED)
    for (const count of [21, 100]) {
      const got = await answerTo(id, { txId: manyHashes(count) })
      expect(got).toMatchObject({ status: 200, code: '50025', msg: expect.stringMatching(/txId.*20/) })
    }
  })

  test('creation info takes 20 addresses and not 21', async () => {
    const row = table.find(({ path }) => path === '/contract/creation-info')!
    const ask = (count: number) => {
      const contractAddress = Array.from({ length: count }, () => AN_ADDRESS).join(',')
      return sender.signed(requestOf(row, { ...sampleOf(row), contractAddress }))
    }
    expect(await ask(20)).toMatchObject(ACCEPTED)
    expect(await ask(21)).toMatchObject({
      status: 200,
      code: '50025',
      msg: expect.stringMatching(/contractAddress.*20/),
    })
  })

  test('E10 reads commas raw and percent-encoded', async () => {
    const base = '/api/v5/chain/transaction/transaction-multi?chainShortName=DEV&txId='
    for (const comma of [',', '%2C', '%2c']) {
      expect(await sender.signed({ target: `${base}${A_HASH}${comma}${A_HASH}` })).toMatchObject(ACCEPTED)
    }
  })

  test('E15 takes 10 different libraries and not 11', async () => {
    expect(await answerTo('E15', { libraryInfo: libraries(10) })).toMatchObject(ACCEPTED)
    const got = await answerTo('E15', { libraryInfo: libraries(11) })
    expect(got).toMatchObject({ status: 200, code: '50025', msg: expect.stringMatching(/libraryInfo.*10/) })
  })

  test('E15 names the part of a library that is missing', async () => {
    const [library] = libraries(1)
    for (const part of ['libraryName', 'libraryAddress'] as const) {
      const { [part]: _, ...half } = library!
      expect(await answerTo('E15', { libraryInfo: [half] })).toMatchObject({
        code: '50014',
        msg: expect.stringContaining(part),
      })
    }
  })

  test('E15 lets only standard JSON input leave out compiler and optimization', async () => {
    for (const name of ['compilerVersion', 'optimization']) {
      for (const codeFormat of ['solidity-single-file', 'vyper']) {
        for (const given of [undefined, '']) {
          const got = await answerTo('E15', { codeFormat, [name]: given })
          expect(got).toMatchObject({ code: '50014', msg: expect.stringContaining(name) })
        }
      }
      expect(await answerTo('E15', { codeFormat: 'solidity-standard-json-input', [name]: undefined })).toMatchObject(
        ACCEPTED,
      )
    }
    const none = { codeFormat: 'solidity-standard-json-input', compilerVersion: undefined, optimization: undefined }
    expect(await answerTo('E15', none)).toMatchObject(ACCEPTED)
  })
})
