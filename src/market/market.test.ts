import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { randomChain, TOKENS } from '../../test/support/chain-rows.ts'
import { databases } from '../../test/support/databases.ts'
import { freePort } from '../../test/support/free-port.ts'
import { createLog } from '../lib/log.ts'
import { decimalFrom, productOf } from '../lib/numbers/decimal.ts'
import { writeMarket } from '../store/chain/market.ts'
import { writeChain } from '../store/chain/write.ts'
import { tokenList, tokensByAddress } from '../store/read/tokens.ts'
import { marketRows } from './market.ts'
import { priceSourceFrom } from './price-source.ts'
import { createSource } from './source.ts'
import { marketsFromList, readTokenList } from './token-list.ts'

const DAWN = `0x${'da'.repeat(20)}`
const AURORA = `0x${'aa'.repeat(20)}`
const log = createLog({ level: 'silent', pretty: false })

const list = {
  name: 'test',
  tokens: [
    {
      chainId: 7,
      address: DAWN.toUpperCase().replace('0X', '0x'),
      symbol: 'DAWN',
      name: 'Dawn',
      decimals: 18,
      logoURI: 'ipfs://logo',
      extensions: { website: 'https://dawn.example', priceUsd: 1.25, tvlUsd: '1e6' },
    },
    { chainId: 8, address: AURORA, logoURI: 'of another chain' },
    { chainId: 7, address: 'malformed' },
    { chainId: 7, address: AURORA, extensions: { website: 'javascript:alert(1)', priceUsd: -1 } },
  ],
}

let close: (() => void) | undefined
afterEach(() => close?.())

/** A server that answers each request by the next of the answers, the last one again and again. */
async function serve(...answers: { status?: number; body: string }[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const { status = 200, body } = answers.length > 1 ? answers.shift()! : answers[0]!
    response.writeHead(status).end(body)
  }).listen(Number(await freePort()), '127.0.0.1')
  await once(server, 'listening')
  close = () => server.close()
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

const signal = new AbortController().signal

describe('a token list', () => {
  test('a token list gives the tokens of this chain and leaves out what is malformed', () => {
    const markets = marketsFromList(list, 7)
    expect([...markets.keys()]).toEqual([DAWN, AURORA])
    expect(markets.get(DAWN)).toMatchObject({
      logoUrl: 'ipfs://logo',
      website: 'https://dawn.example',
      priceUsd: '1.25',
      tvlUsd: '1000000',
    })
    expect(markets.get(AURORA)).toMatchObject({ website: undefined, priceUsd: undefined })
  })

  test('a token list may be behind a URL', async () => {
    const { url } = await serve({ body: JSON.stringify(list) })
    expect((await readTokenList(`${url}/list.json`, 7, signal)).size).toBe(2)
  })

  test('a token list that is no list is refused', async () => {
    await expect(async () => marketsFromList({ tokens: 5 }, 7)).rejects.toThrow('shape')
    await expect(readTokenList('/nowhere/list.json', 7, signal)).rejects.toThrow('/nowhere/list.json')
  })
})

describe('a price source', () => {
  test('a price source of CoinGecko’s shape is asked for the platform and keeps the key of its query', async () => {
    const { url, asked } = await serve({
      body: JSON.stringify({ [DAWN.toUpperCase()]: { usd: 1e-7, usd_market_cap: 0 }, '0xother': { usd: 5 } }),
    })
    const prices = await priceSourceFrom(`coingecko:${url}/api/v3?x_cg_demo_api_key=k#x-layer`)!.prices([DAWN], signal)
    expect([...prices]).toEqual([[DAWN, { priceUsd: '0.0000001', marketCapUsd: undefined }]])
    const target = new URL(asked[0]!, url)
    expect(target.pathname).toBe('/api/v3/simple/token_price/x-layer')
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ x_cg_demo_api_key: 'k', contract_addresses: DAWN })
  })

  test('a price source of DefiLlama’s shape is asked in batches', async () => {
    const tokens = Array.from({ length: 150 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
    const { url, asked } = await serve({
      body: JSON.stringify({ coins: Object.fromEntries(tokens.map((token) => [`dev:${token}`, { price: 2 }])) }),
    })
    const prices = await priceSourceFrom(`defillama:${url}#dev`)!.prices(tokens, signal)
    expect(prices.size).toBe(150)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toMatch(/^\/prices\/current\/dev:0x0{40},dev:0x/)
  })

  test.each(['coingecko:https://host/api/v3', 'ftp://host#x', 'https://host#x', 'defillama:#x'])(
    '%s names none',
    (text) => {
      expect(priceSourceFrom(text)).toBeUndefined()
    },
  )

  test.each([{ status: 500, body: '{}' }, { body: 'garbage' }, { body: '[]"' }, { body: '{"coins":5}' }])(
    'a price source that answers %j fails as a source',
    async (answer) => {
      const { url } = await serve(answer)
      await expect(priceSourceFrom(`defillama:${url}#dev`)!.prices([DAWN], signal)).rejects.toThrow()
    },
  )
})

describe('a source', () => {
  const price = (usd: number) => ({ body: JSON.stringify({ coins: { [`dev:${DAWN}`]: { price: usd } } }) })

  const sourceOf = (url: string) => {
    const clock = { nowMs: 1_000_000 }
    const prices = priceSourceFrom(`defillama:${url}#dev`)!
    const source = createSource({
      name: 'prices',
      read: (each) => prices.prices([DAWN], each),
      everyMs: 60_000,
      lastsMs: 3_600_000,
      log,
      nowMs: () => clock.nowMs,
    })
    const priceAfter = async (ms: number) => {
      clock.nowMs += ms
      return (await source.markets(signal)).get(DAWN)?.priceUsd
    }
    return { priceAfter }
  }

  test('a source is asked again when its answer is old, and not before', async () => {
    const { url, asked } = await serve(price(1), price(2))
    const { priceAfter } = sourceOf(url)
    expect(await priceAfter(0)).toBe('1')
    expect(await priceAfter(59_999)).toBe('1')
    expect(asked).toHaveLength(1)
    expect(await priceAfter(1)).toBe('2')
  })

  test('a source that fails keeps what it said, is asked later and later, and is forgotten in the end', async () => {
    const { url, asked } = await serve(price(3), { status: 500, body: '' })
    const { priceAfter } = sourceOf(url)
    expect(await priceAfter(0)).toBe('3')
    for (let minute = 0; minute < 50; minute++) expect(await priceAfter(60_000)).toBe('3')
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.length).toBeLessThan(25)
    for (let minute = 0; minute < 30; minute++) await priceAfter(60_000)
    expect(await priceAfter(0)).toBeUndefined()
  })
})

describe.each(databases)('the stored market on $engine', ({ open }) => {
  test('the stored market has caps and volumes of the tokens that are on the chain', async () => {
    const database = await open()
    const chain = randomChain({ seed: 7, last: 30 })
    await writeChain(database, { blocks: chain })
    const tokens = [
      ...(
        await tokensByAddress(
          database,
          TOKENS.map(({ address }) => address),
        )
      ).values(),
    ]
    const token = tokens.find(({ kind, transfers }) => kind === 20 && transfers > 0)!
    const markets = new Map([
      [token.address as string, { priceUsd: '1.5', circulatingSupply: '1000', website: 'https://dawn.example' }],
    ])
    await writeMarket(database, await marketRows(database, tokens, markets))
    const moved = chain
      .filter(({ block }) => block.timestampMs > chain.at(-1)!.block.timestampMs - 86_400_000)
      .flatMap(({ transfers }) => transfers)
      .filter((transfer) => transfer.token === token.address)
      .reduce((sum, { amount }) => sum + amount, 0n)
    const [first] = await tokenList(database, { kind: 20, orderBy: 'marketCap' }, { limit: 1 })
    expect(first).toMatchObject({
      address: token.address,
      market: { price: '1.5', marketCap: 1500, website: 'https://dawn.example', logoUrl: null },
    })
    expect(first!.market!.volume24h).toBe(Number(productOf('1.5', decimalFrom(moved, token.decimals ?? 0))))
    expect(moved).toBeGreaterThan(0n)
    await database.close()
  })
})
