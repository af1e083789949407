// A chain that goes its own way, like Base since November 2026, followed by a whole Firstlight. `npm run soak:foreign-chain` does the same
// for 1,000 blocks.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from '../support/devnet.ts'
import {
  CODELESS_TOKEN,
  compareWithNode,
  type ForeignChain,
  followForeignChain,
  PAYER,
} from '../support/foreign-chain.ts'

const BLOCKS = 60
const SLOW = 240_000
const chainShortName = 'dev'

let chain: ForeignChain
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foreign-chain-'))
  chain = await followForeignChain({ blocks: BLOCKS, tps: 25, dataDir })
}, SLOW)
afterAll(() => chain?.stop())

describe('a chain with rules of its own', () => {
  test('a chain with rules of its own is followed block by block, and its blocks have milliseconds', async () => {
    expect(chain.lagsMs).toHaveLength(BLOCKS)
    const { data } = await chain.server.client.blockList({ chainShortName, page: '1', limit: '50' })
    const times = data[0].blockList.map(({ blockTime }) => Number(blockTime))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const seconds = new Set(times.map((ms) => Math.floor(ms / 1_000)))
    expect(seconds.size).toBeLessThan(times.length)
    expect(times.some((ms) => ms % 1_000 !== 0)).toBe(true)
  })

  test(
    'every answer about a chain with rules of its own is what the node says, every list in its order',
    async () => {
      const { wrong, kinds, lists, equal } = await compareWithNode(chain)
      expect({ wrong, kinds: Object.fromEntries(kinds) }).toEqual({ wrong: 0, kinds: {} })
      expect(lists).toBeGreaterThan(BLOCKS)
      expect(equal).toBeGreaterThan(1_000)
    },
    SLOW,
  )

  test('the ranking by native balance says that a transaction of an unknown type may have moved more than is known', async () => {
    const { data } = await chain.server.client.nativeTokenPositionList({ chainShortName })
    expect(data[0]).toMatchObject({ balancesComplete: false })
  })

  test('a transaction of an unknown type is shown with its type and its own fields', async () => {
    const { raw } = chain.facts.transactions.find(({ raw: { type } }) => type === '0x7d')!
    const { data } = await chain.server.client.transactionFills({ chainShortName, txid: raw.hash })
    expect(data[0]!.transactionType).toBe(String(0x7d))
    expect(JSON.parse(data[0]!.unknownFields)).toMatchObject({ payer: PAYER, receipt: { payer: PAYER } })
    const page = await fetch(`${chain.server.url}/tx/${raw.hash}`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html.includes('payer') && html.includes(PAYER)).toBe(true)
  })

  test('who pays for transactions of an unknown type has the balance that the node says', async () => {
    const wei = BigInt(await rpc(chain.nodeUrl, 'eth_getBalance', PAYER, 'latest'))
    const { data } = await chain.server.client.addressInformation({ chainShortName, address: PAYER })
    expect(data[0]).toMatchObject({ balance: formatEther(wei) })
  })

  test('a token without code is a token: in the list, with transfers, holders and pages', async () => {
    const { client, url } = chain.server
    const asked = { chainShortName, tokenContractAddress: CODELESS_TOKEN, page: '1', limit: '20' }
    const [{ tokenList }] = (await client.tokenList(asked)).data
    expect(tokenList[0]).toMatchObject({ token: 'BRYL', tokenFullName: 'Beryl Dollar', precision: '6' })
    const [{ transactionList }] = (await client.tokenTransferList(asked)).data
    expect(transactionList.length).toBeGreaterThan(0)
    const [{ positionList }] = (await client.tokenPositionList(asked)).data
    expect(positionList.length).toBeGreaterThan(0)
    const pages = [
      [`/token/${CODELESS_TOKEN}`, 'Beryl Dollar'],
      [`/address/${CODELESS_TOKEN}`, 'This contract is the token'],
      [`/address/${CODELESS_TOKEN}?tab=contract`, 'There is no code at this address'],
    ] as const
    for (const [path, text] of pages) {
      const page = await fetch(`${url}${path}`)
      expect(page.status, path).toBe(200)
      expect((await page.text()).includes(text), path).toBe(true)
    }
  })

  test('the index of a chain with five blocks a second is not behind, and its lag is said in time', async () => {
    // The chain stands still by now, which is a reason of its own.
    const { reasons } = (await (await fetch(`${chain.server.url}/ready`)).json()) as { reasons: string[] }
    expect(reasons.filter((reason) => reason.includes('behind'))).toEqual([])
    const { lags } = (await (await fetch(`${chain.server.url}/status`)).json()) as { lags: Record<string, unknown> }
    expect(lags).toMatchObject({ indexedBlocks: 0, indexedMs: 0 })
  })
})
