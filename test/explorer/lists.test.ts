// What must hold of every list of the explorer API, through HTTP, on both engines: pages are disjoint and complete, totals are those
// of the lists, cursors give what pages give, what is listed adds up, and a reorg leaves nothing behind in any of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetGenesis } from '../../src/app/devnet-part.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import { type IndexedServer, startIndexedServer } from '../support/indexed-server.ts'
import { type ListRequest, listRequestsOf } from '../support/list-requests.ts'
import { walk } from '../support/list-walk.ts'
import { type LivingChain, PREPARE_TIMEOUT_MS, startLivingChain } from '../support/living-chain.ts'
import { type NodeFacts, readNodeFacts } from '../support/node-facts.ts'
import { createSender } from '../support/sender.ts'

const chainShortName = 'dev'
const REORG_DEPTH = 9
const PAGE = 7
const LONG_MS = 300_000

type Shown = Readonly<Record<string, string>>

/** Every record of a list, as a stream of lines. */
async function wholeList(server: IndexedServer, { endpoint, params }: ListRequest): Promise<Shown[]> {
  const query = new URLSearchParams({ chainShortName, ...params })
  const sender = createSender(server)
  const target = `/api/v5/chain${endpoints[endpoint].path}?${query}`
  const { status, text } = await sender.signed({ target, headers: { accept: 'application/x-ndjson' } })
  sender.close()
  expect(status, `${target}: ${text}`).toBe(200)
  const lines = text.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Shown)
}

async function everyList(server: IndexedServer, requests: readonly ListRequest[]) {
  const lists = new Map<string, Shown[]>()
  for (const request of requests) {
    // What a reorg put back into the pool is no part of the chain.
    const whole = (await wholeList(server, request)).filter(({ state }) => state !== 'pending')
    lists.set(`${request.endpoint} ${JSON.stringify(request.params)}`, whole)
  }
  return lists
}

async function untilHead(server: IndexedServer, nodeUrl: string): Promise<void> {
  for (;;) {
    const { hash } = await rpc(nodeUrl, 'eth_getBlockByNumber', 'latest', false)
    const { data } = await server.client.blockList({ chainShortName, limit: '1' })
    if (data[0].blockList[0]?.hash === hash) return
    await sleep(100)
  }
}

function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + parseEther(amount), 0n)
}

let chain: LivingChain
let facts: NodeFacts
const servers: IndexedServer[] = []

beforeAll(async () => {
  chain = await startLivingChain({ blocks: 30 })
  facts = chain.facts
  for (const { place } of databases) servers.push(await startIndexedServer(chain.url, await place()))
}, PREPARE_TIMEOUT_MS)

afterAll(async () => {
  for (const server of servers) await server.stop()
  await chain?.stop()
})

describe.each(databases.map(({ engine }, i) => ({ engine, at: i })))('every list on $engine', ({ at }) => {
  test(
    'every list has pages that are disjoint and complete, by number and by cursor',
    async () => {
      const server = servers[at]!
      for (const request of listRequestsOf(facts)) {
        const whole = await wholeList(server, request)
        const ask = (paging: object) =>
          (server.client[request.endpoint] as (params: object) => ReturnType<Parameters<typeof walk>[0]>)({
            chainShortName,
            ...request.params,
            ...paging,
          })
        const { data } = await ask({})
        const isPaged = data[0] !== undefined && 'totalPage' in data[0]
        if (!isPaged) {
          expect(data, request.endpoint).toEqual(whole)
          continue
        }
        const list = Object.entries(data[0]!).find(([, value]) => Array.isArray(value))![0]
        expect(await walk(ask, list, PAGE), request.endpoint).toEqual(whole)
      }
    },
    LONG_MS,
  )

  test(
    'every list adds up: amounts and fees to those of their block, counters to the lists, balances to the supply',
    async () => {
      await expectSums(servers[at]!, facts)
    },
    LONG_MS,
  )
})

test(
  'after a reorg every list is what a server that never saw the other chain says',
  async () => {
    await rpc(chain.url, 'devnet_reorg', `0x${REORG_DEPTH.toString(16)}`)
    await rpc(chain.url, 'devnet_seal')
    for (const server of servers) await untilHead(server, chain.url)
    const newFacts = await readNodeFacts(chain.url, [...facts.balances.keys()])
    const requests = listRequestsOf(newFacts)
    const fresh = await startIndexedServer(chain.url, await databases[0]!.place())
    servers.push(fresh)
    await untilHead(fresh, chain.url)
    const expected = await everyList(fresh, requests)
    for (const server of servers.slice(0, -1)) {
      const lists = await everyList(server, requests)
      for (const [name, list] of expected) expect(lists.get(name), name).toEqual(list)
      expectGone(lists, hashesOf(facts), hashesOf(newFacts))
      await expectSums(server, newFacts)
    }
  },
  LONG_MS,
)

/** Hashes of blocks; transactions may come again in another block. */
function hashesOf({ blocks }: NodeFacts): Set<string> {
  return new Set(blocks.map(({ raw }) => raw.hash as string))
}

function expectGone(lists: ReadonlyMap<string, Shown[]>, earlier: Set<string>, now: Set<string>): void {
  const gone = new Set([...earlier].filter((hash) => !now.has(hash)))
  expect(gone.size).toBeGreaterThanOrEqual(REORG_DEPTH)
  for (const [name, list] of lists) {
    for (const { hash, blockHash } of list) expect(gone.has(hash ?? blockHash ?? ''), name).toBe(false)
  }
}

async function expectSums(server: IndexedServer, facts: NodeFacts): Promise<void> {
  const ofBlock = (height: number, protocolType: string) =>
    wholeList(server, { endpoint: 'blockTransactionList', params: { height: String(height), protocolType } })
  const blocks = await wholeList(server, { endpoint: 'blockList', params: {} })
  expect(blocks).toHaveLength(facts.blocks.length)
  for (const { height, totalFee, txnCount } of blocks) {
    const transactions = await ofBlock(Number(height), 'transaction')
    const detail = (await server.client.blockFills({ chainShortName, height: height! })).data[0]
    expect(transactions).toHaveLength(Number(txnCount))
    expect(sumOf(transactions.map(({ txfee }) => txfee!))).toBe(parseEther(totalFee!))
    expect(sumOf(transactions.map(({ amount }) => amount!))).toBe(parseEther(detail.amount))
    expect(await ofBlock(Number(height), 'internal')).toHaveLength(Number(detail.txnInternal))
  }
  const tokens = await wholeList(server, { endpoint: 'tokenList', params: {} })
  expect(tokens.length).toBeGreaterThan(0)
  for (const { tokenContractAddress, addressCount } of tokens) {
    const params = { tokenContractAddress: tokenContractAddress! }
    const holders = await wholeList(server, { endpoint: 'tokenPositionList', params })
    expect(holders).toHaveLength(Number(addressCount))
    const { data } = await server.client.tokenTransferList({ chainShortName, ...params })
    const transfers = await wholeList(server, { endpoint: 'tokenTransferList', params })
    expect(transfers).toHaveLength(Number(data[0].totalTransfer))
  }
  const holders = await wholeList(server, { endpoint: 'nativeTokenPositionList', params: {} })
  const supply = devnetGenesis().reduce((sum, { balance }) => sum + balance, 0n)
  const minted = facts.transactions.reduce((sum, { raw }) => sum + BigInt(raw.mint ?? 0), 0n)
  expect(sumOf(holders.map(({ amount }) => amount!))).toBe(supply + minted)
}
