// Requests at and past every edge, to an index that has something in it: each is answered as declared, or refused in words. None is a
// fault of ours.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADDRESSES, randomChain, TOKENS, TOPICS } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import { type Answer, type Endpoint, paramsFrom } from '../contract/endpoint.ts'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'
import { writeChain } from '../store/chain/write.ts'
import type { Database } from '../store/engine/database.ts'
import { createChainReaders } from '../store/read/chain-reader.ts'
import { createExplorer } from './explorer.ts'

const SEED = 4
const REQUESTS_EACH = 50
const HEAD = 60
const context = { requestId: 'test', signal: new AbortController().signal }
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }
const REFUSALS = ['parameterWrong', 'tooManyValues', 'unknownToken', 'unknownHeight']

const chain = randomChain({ seed: SEED, last: HEAD })
function inCapitals(hex: string): string {
  return `0x${hex.slice(2).toUpperCase()}`
}
const hashes = chain.flatMap(({ transactions }) => transactions.map(({ hash }) => hash as string))
const times = [chain[0]!, chain.at(-1)!].flatMap(({ block: { timestampMs: at } }) => [at - 1, at, at + 1])

const addresses = [...ADDRESSES, ...TOKENS.map(({ address }) => address), `0x${'0'.repeat(40)}`, `0x${'f'.repeat(40)}`]
const anAddress = fc.constantFrom(...addresses, ...addresses.map(inCapitals))
const aHash = fc.constantFrom(...hashes.slice(0, 9), ...hashes.slice(0, 3).map(inCapitals), `0x${'0'.repeat(64)}`)
/** One, or several with repeats, or too many. */
function listOf(each: fc.Arbitrary<string>) {
  return fc.oneof(
    each,
    fc.array(each, { minLength: 2, maxLength: 21 }).map((all) => all.join()),
  )
}
const aHeight = fc.constantFrom('0', '7', String(HEAD), String(HEAD + 1), '007', String(2 ** 33))
const aTime = fc.constantFrom('0', ...times.map(String), '9'.repeat(15))
const anAmount = fc.constantFrom(
  '0',
  '1',
  '100',
  '250.000',
  `0.${'0'.repeat(77)}1`,
  `${'9'.repeat(78)}.${'9'.repeat(78)}`,
)
const aTopic = fc.constantFrom(...TOPICS, inCapitals(TOPICS[0]!))

/** What each parameter may be; words of a closed set are tried one by one, whether the endpoint knows them or not. */
const values: Record<string, fc.Arbitrary<string>> = {
  address: anAddress,
  tokenContractAddress: anAddress,
  holderAddress: anAddress,
  txId: listOf(aHash),
  txid: listOf(aHash),
  blockHash: fc.constantFrom(...chain.slice(0, 3).map(({ block }) => block.hash), `0x${'0'.repeat(64)}`),
  contractAddress: listOf(anAddress),
  topic0: aTopic,
  topic1: aTopic,
  topic2: aTopic,
  topic3: aTopic,
  height: aHeight,
  startBlockHeight: aHeight,
  endBlockHeight: aHeight,
  time: aTime,
  startTime: aTime,
  endTime: aTime,
  minAmount: anAmount,
  maxAmount: anAmount,
  type: anAmount,
  closest: fc.constantFrom('before', 'after'),
  isFromOrTo: fc.constantFrom('from', 'to'),
  orderBy: fc.constantFrom('totalMarketCap', 'transactionAmount24h'),
  protocolType: fc.constantFrom('transaction', 'internal', 'token_20', 'token_721', 'token_1155', 'token_10', 'trx'),
  page: fc.constantFrom('1', '2', '501', '9'.repeat(15)),
  limit: fc.constantFrom('1', '3', '50', '100'),
}

const asked = Object.entries<Endpoint>(endpoints).filter(
  ([name, { method }]) => method === 'GET' && !/verify|preconfirmation|flashblock/i.test(name),
)

describe.each(databases)('on $engine', ({ open }) => {
  let database: Database
  let ask: (name: string, raw: Readonly<Record<string, string>>) => Promise<Answer<Endpoint>>
  /** Of every list, so that each is tried in all others. */
  const cursors: string[] = []

  beforeAll(async () => {
    database = await open()
    await writeChain(database, { blocks: chain })
    const handlers = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    ask = async (name, raw) => {
      const params = paramsFrom(endpoints[name as EndpointName] as Endpoint, { chainShortName: 'DEV', ...raw })
      return (handlers[name as EndpointName] as (...given: object[]) => Promise<Answer<Endpoint>>)(params, context)
    }
    for (const [name] of asked) cursors.push(...(await cursorsOf(name)))
  })
  afterAll(() => database?.close())

  const cursorsOf = async (name: string): Promise<string[]> => {
    const raw = { address: ADDRESSES[0]!, tokenContractAddress: TOKENS[0]!.address, height: '7', limit: '1' }
    const answer = await ask(name, raw).catch(() => undefined)
    return [...JSON.stringify(answer?.data ?? []).matchAll(/"nextCursor":"([^"]+)"/g)].map((match) => match[1]!)
  }

  test.each(asked)('the endpoint %s answers as declared or says what is wrong', async (name, endpoint) => {
    const known = Object.keys(endpoint.params.shape).filter((param) => param in values)
    const isRequired = (param: string) => !endpoint.params.shape[param]!.safeParse(undefined).success
    const tried = {
      ...Object.fromEntries(known.map((param) => [param, values[param]!])),
      after: fc.constantFrom(...cursors),
    }
    const request = fc.record<Record<string, string>>(tried, { requiredKeys: known.filter(isRequired) })
    let answered = 0
    const property = fc.asyncProperty(request, async (raw) => {
      try {
        const answer = await ask(name, raw)
        expect(JSON.parse(answer.dataJson?.() ?? JSON.stringify(answer.data))).toEqual(answer.data)
        endpoint.data.parse(answer.data)
        answered += 1
      } catch (error) {
        if (!(error instanceof Failure) || !REFUSALS.includes(error.key)) throw error
      }
    })
    await fc.assert(property, { seed: SEED, numRuns: REQUESTS_EACH })
    expect(answered).toBeGreaterThan(0)
  })

  test('cursors of many lists were tried', () => {
    expect(cursors.length).toBeGreaterThan(5)
  })
})
