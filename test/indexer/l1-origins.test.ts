// Where deposits come from, with a real node for L1: anvil, on which a contract says `TransactionDeposited` as a portal does.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { concat, keccak256, pad, toEventSelector, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../devnet/genesis/anvil-for-tests.ts'
import { createExplorer } from '../../src/explorer/explorer.ts'
import { createLog } from '../../src/lib/log.ts'
import { writeChain } from '../../src/store/chain/write.ts'
import { createChainReaders } from '../../src/store/read/chain-reader.ts'
import { positionOf } from '../../src/store/schema/position.ts'
import type { TransactionRow } from '../../src/store/schema/rows.ts'
import { createL1 } from '../../src/upstream/l1/l1.ts'
import { ADDRESSES, blockOf, emptyRows, hexOf, TOKENS, transactionOf } from '../support/chain-rows.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import type { Hex } from '../support/node-facts.ts'

const log = createLog({ level: 'silent', pretty: false })
const names = { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' }
const context = { requestId: 'test', client: 'a test', signal: new AbortController().signal }
const HEIGHT = 7
const [user, token] = [ADDRESSES[1]!, TOKENS[0]!.address]
const ATTRIBUTES_SENDER: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

let anvil: Anvil
let l1Block: Hex
/** L1 transactions and the log index of the deposit of each. */
let portal: { transactionHash: Hex; logIndex: number }[]

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1, args: ['--no-mining'] })
  const [from] = await rpc(anvil.url, 'eth_accounts')
  const deposited = toEventSelector('TransactionDeposited(address,address,uint256,bytes)')
  // An unrelated log, then the deposit's with its four topics.
  const data = concat(['0x5f5fa0', '0x5f5f5f7f', deposited, '0x5f5fa400'])
  for (let i = 0; i < 2; i++) await rpc(anvil.url, 'eth_sendTransaction', { from, data, gas: '0x30d40' })
  await rpc(anvil.url, 'evm_mine')
  const logs = await rpc(anvil.url, 'eth_getLogs', { fromBlock: 'latest', topics: [deposited] })
  l1Block = logs[0].blockHash
  portal = logs.map((each: { transactionHash: Hex; logIndex: Hex }) => ({
    transactionHash: each.transactionHash,
    logIndex: Number(each.logIndex),
  }))
  expect(portal.map(({ logIndex }) => logIndex)).toEqual([1, 3])
})

afterAll(() => anvil?.stop())

/** §deposits of the OP Stack, computed a second time. */
function sourceOf(logIndex: number): Hex {
  return keccak256(concat([pad(toHex(0)), keccak256(concat([l1Block, pad(toHex(logIndex))]))]))
}

function attributesInput(): Hex {
  return concat(['0x098999be', pad('0x', { size: 96 }), l1Block, pad('0x', { size: 44 })])
}

function deposit(index: number, changes: Partial<TransactionRow>): TransactionRow {
  return transactionOf(HEIGHT, index, { type: 126, sender: user, recipient: user, ...changes })
}

/** A block as an OP chain has it: attributes, two deposits, one that L1 does not know, and an ordinary transaction. */
function block() {
  return {
    ...emptyRows(blockOf(HEIGHT, { transactionCount: 5 })),
    transactions: [
      deposit(0, {
        sender: ATTRIBUTES_SENDER,
        recipient: ADDRESSES[2]!,
        sourceHash: hexOf(32, 1),
        input: attributesInput(),
      }),
      deposit(1, { sourceHash: sourceOf(portal[0]!.logIndex) }),
      deposit(2, { sourceHash: sourceOf(portal[1]!.logIndex) }),
      deposit(3, { sourceHash: sourceOf(99) }),
      transactionOf(HEIGHT, 4, { sender: user, recipient: user }),
    ],
    transfers: [
      {
        pos: positionOf(HEIGHT, 0),
        txPos: positionOf(HEIGHT, 2),
        logIndex: 0,
        kind: 20 as const,
        token,
        sender: user,
        recipient: user,
        amount: 1n,
        tokenId: null,
      },
    ],
  }
}

async function originsFrom(explorer: ReturnType<typeof createExplorer>, protocolType: 'transaction' | 'token_20') {
  const params = { chainShortName: 'DEV', address: user, protocolType, page: 1, limit: 20 }
  const { data } = await explorer.addressTransactionList(params, context)
  return data[0].transactionLists.map(({ l1OriginHash }) => l1OriginHash)
}

describe.each(databases)('the origin of deposits on $engine', ({ open }) => {
  test('the origin of deposits is the L1 transaction whose log has them, and empty for everything else', async () => {
    const database = await open()
    await writeChain(database, { blocks: [block()] })
    const l1 = createL1({ url: anvil.url, log, answerTimeoutMs: 20_000 })
    const explorer = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0, l1 })
    const [first, second] = portal.map(({ transactionHash }) => transactionHash)
    expect(await originsFrom(explorer, 'transaction')).toEqual(['', '', second, first])
    expect(await originsFrom(explorer, 'token_20')).toEqual([second])
    l1.close()
    await database.close()
  })

  test('the origin of deposits is empty without L1', async () => {
    const database = await open()
    await writeChain(database, { blocks: [block()] })
    const explorer = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0 })
    expect(await originsFrom(explorer, 'transaction')).toEqual(['', '', '', ''])
    await database.close()
  })
})

describe('an L1 that takes its time', () => {
  const DELAY_MS = 600
  let slow: Server
  let isBroken = false
  let asked = 0

  beforeAll(async () => {
    slow = createServer(async (request, response) => {
      asked += 1
      const body = await text(request)
      await sleep(DELAY_MS)
      if (isBroken) return void response.writeHead(500).end('broken')
      const answer = await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      response.end(await answer.text())
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void slow?.close())

  const slowUrl = () => `http://127.0.0.1:${(slow.address() as AddressInfo).port}`

  test('an L1 that takes its time holds up nobody, and is shown once it has answered', async () => {
    const database = await databases[0]!.open()
    await writeChain(database, { blocks: [block()] })
    const l1 = createL1({ url: slowUrl(), log, answerTimeoutMs: 50 })
    const explorer = createExplorer({ readers: createChainReaders(database), names, challengePeriodS: 0, l1 })
    expect(await originsFrom(explorer, 'transaction')).toEqual(['', '', '', ''])
    while (l1.lateAnswers() === 0) await sleep(20)
    const [first, second] = portal.map(({ transactionHash }) => transactionHash)
    expect(await originsFrom(explorer, 'transaction')).toEqual(['', '', second, first])
    expect(asked).toBe(1)
    l1.close()
    await database.close()
  })

  test('an L1 that takes its time is left alone for a while after it failed', async () => {
    isBroken = true
    const before = asked
    const l1 = createL1({ url: slowUrl(), log, answerTimeoutMs: 20_000 })
    for (let i = 0; i < 3; i++) expect(await l1.depositsIn(l1Block)).toBeUndefined()
    expect(asked - before).toBe(1)
    l1.close()
  })
})
