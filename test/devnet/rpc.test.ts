// A devnet that makes blocks only on request: what its methods answer, and how they refuse.
import { createPublicClient, encodeDeployData, http, keccak256 } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { artifactOf } from '../../devnet/contracts/artifact.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers, TEST_MNEMONIC } from '../../devnet/genesis/accounts.ts'
import { feedMessageFrom } from '../../src/contract/flashblock.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'

const SENDER = developers[0]!.address
const RECEIVER = '0x00000000000000000000000000000000000c0de5'
const REVERTING_INIT = '0x60006000fd'
/** Returns what is at slot 0. */
const SLOT_READER = '0x60005460005260206000f3'

let devnet: Devnet
let url: string
beforeAll(async () => {
  devnet = await startStillDevnet()
  url = devnet.url
})
afterAll(() => devnet.stop())

function send(transaction: object): Promise<`0x${string}`> {
  return rpc(url, 'eth_sendTransaction', { from: SENDER, ...transaction })
}

describe('a transaction on its way', () => {
  test('a transaction on its way is in the pool, then under pending, then in a block', async () => {
    const before = Number(await rpc(url, 'eth_getTransactionCount', SENDER, 'latest'))
    const hash = await send({ to: RECEIVER, value: '0x1' })
    expect(await rpc(url, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(Number(await rpc(url, 'eth_getTransactionCount', SENDER, 'pending'))).toBe(before + 1)
    expect(await rpc(url, 'eth_getBalance', RECEIVER, 'pending')).toBe('0x0')

    await rpc(url, 'devnet_step')
    expect(await rpc(url, 'eth_getBalance', RECEIVER, 'pending')).toBe('0x1')
    expect(await rpc(url, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x0')
    expect((await rpc(url, 'eth_getBlockByNumber', 'pending', false)).transactions).toContain(hash)
    expect(await rpc(url, 'eth_getTransactionReceipt', hash)).toBeNull()
    expect(await rpc(url, 'eth_getTransactionByHash', hash)).toMatchObject({ hash, blockHash: null })

    const blockHash = await rpc(url, 'devnet_seal')
    expect(await rpc(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockHash, status: '0x1' })
    expect(await rpc(url, 'eth_getBalance', RECEIVER, { blockHash })).toBe('0x1')
    expect(keccak256(await rpc(url, 'eth_getRawTransactionByHash', hash))).toBe(hash)
  })

  test('a transaction on its way is answered with its receipt where the client waits for it', async () => {
    const raw = await signedTransfer()
    const answer = rpc(url, 'eth_sendRawTransactionSync', raw)
    while ((await rpc(url, 'txpool_status')).pending === '0x0') await new Promise((resolve) => setTimeout(resolve, 5))
    await rpc(url, 'devnet_seal')
    expect(await answer).toMatchObject({ status: '0x1', transactionHash: keccak256(raw) })
  })

  test('a transaction on its way is named to the client that waited in vain', async () => {
    const raw = await signedTransfer()
    expect((await ask(url, 'eth_sendRawTransactionSync', raw, 10)).error).toMatchObject({
      code: 4,
      data: keccak256(raw),
    })
    await rpc(url, 'devnet_seal')
  })
})

describe('a refusal', () => {
  test.each([
    ['eth_getBalance', [RECEIVER, '0xffffff'], -32000, 'header not found'],
    ['eth_call', [{ to: RECEIVER }, '0xffffff'], -32000, 'header not found'],
    ['eth_getBalance', [], -32602, 'missing value for required argument 0 (address)'],
    ['eth_getBalance', ['0x1'], -32602, 'invalid argument 0: address must be a 20-byte address in hex'],
    ['eth_chainId', [1], -32602, 'too many arguments, want at most 0'],
    ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }], -32602, 'invalid block range params'],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0xffffff' }], -32005, 'max block range'],
    ['eth_getLogs', [{ blockHash: `0x${'00'.repeat(32)}` }], -32000, 'unknown block'],
    ['eth_sendRawTransaction', ['0x01'], -32000, ''],
    ['eth_sendTransaction', [{ from: RECEIVER, to: RECEIVER, gas: '0x5208' }], -32000, 'unknown account'],
    ['eth_getFilterChanges', ['0x1'], -32000, 'filter not found'],
    ['eth_subscribe', ['newHeads'], -32001, 'notifications not supported'],
    ['debug_traceTransaction', [`0x${'00'.repeat(32)}`], -32000, 'transaction not found'],
    ['debug_traceBlockByNumber', ['0x0'], -32000, 'genesis is not traceable'],
    ['devnet_reorg', ['0x1000'], -32602, 'depth must be from 1'],
    ['eth_chainID', [], -32601, 'did you mean eth_chainId?'],
  ])('a refusal of %s %j says why', async (method, params, code, message) => {
    const { error } = await ask(url, method, ...params)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('a refusal of an unknown block is null where a block was asked for', async () => {
    expect(await rpc(url, 'eth_getBlockByNumber', '0xffffff', false)).toBeNull()
    expect(await rpc(url, 'eth_getBlockReceipts', '0xffffff')).toBeNull()
    expect(await rpc(url, 'trace_block', '0xffffff')).toBeNull()
  })

  test('a refusal of a reverting call carries the data', async () => {
    const mishap = `0x08c379a0${'20'.padStart(64, '0')}${'02'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`
    const code = `0x6064600c60003960646000fd${mishap.slice(2).padEnd(200, '0')}`
    const answer = await ask(url, 'eth_call', { to: RECEIVER }, 'latest', { [RECEIVER]: { code } })
    expect(answer.error).toMatchObject({ code: 3, message: 'execution reverted: no', data: mishap.padEnd(202, '0') })
    expect((await ask(url, 'eth_estimateGas', { data: REVERTING_INIT })).error).toMatchObject({ code: 3, data: '0x' })
  })
})

describe('a call', () => {
  test('a call sees the state and the block as the caller would have them', async () => {
    const stateOverride = { [RECEIVER]: { code: SLOT_READER, stateDiff: { [`0x${'0'.repeat(64)}`]: word(5) } } }
    expect(await rpc(url, 'eth_call', { to: RECEIVER }, 'latest', stateOverride)).toBe(word(5))
    const numberReader = { [RECEIVER]: { code: '0x4360005260206000f3' } }
    expect(await rpc(url, 'eth_call', { to: RECEIVER }, 'latest', numberReader, { number: '0x99' })).toBe(word(0x99))
  })

  test('a call lists what it touches', async () => {
    const { address } = await deployed('WrappedEther')
    const data = `0x70a08231${SENDER.slice(2).padStart(64, '0')}`
    const { accessList, gasUsed } = await rpc(
      url,
      'eth_createAccessList',
      { from: SENDER, to: address, data },
      'latest',
    )
    expect(accessList).toMatchObject([{ address, storageKeys: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] }])
    expect(Number(gasUsed)).toBeGreaterThan(21_000)
  })

  test('a call estimates the exact gas that a transaction needs', async () => {
    const { address } = await deployed('WrappedEther')
    const gas = await rpc(url, 'eth_estimateGas', { from: SENDER, to: address, data: '0xd0e30db0', value: '0x1' })
    const less = `0x${(Number(gas) - 1).toString(16)}`
    const tooLittle = await send({ to: address, data: '0xd0e30db0', value: '0x1', gas: less })
    await rpc(url, 'devnet_seal')
    expect(await rpc(url, 'eth_getTransactionReceipt', tooLittle)).toMatchObject({ status: '0x0' })
    const enough = await send({ to: address, data: '0xd0e30db0', value: '0x1', gas })
    await rpc(url, 'devnet_seal')
    expect(await rpc(url, 'eth_getTransactionReceipt', enough)).toMatchObject({ status: '0x1' })
  })
})

/** EIP-2935. */
const HISTORY_STORAGE = '0x0000f90827f1c53a10cb7a02335b175320002935'

describe('a simulation', () => {
  test('a simulation runs each block on the one before', async () => {
    const value = '0x64'
    const [first, second] = await rpc(url, 'eth_simulateV1', {
      blockStateCalls: [
        { stateOverrides: { [RECEIVER]: { balance: '0x64' } }, calls: [{ from: RECEIVER, to: OTHER, value }] },
        {
          calls: [
            { from: OTHER, to: RECEIVER, value },
            { from: OTHER, data: REVERTING_INIT },
          ],
        },
      ],
    })
    const head = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    expect(first).toMatchObject({ parentHash: head.hash, calls: [{ status: '0x1', gasUsed: '0x5208', logs: [] }] })
    expect(second).toMatchObject({ parentHash: first.hash, number: `0x${(Number(head.number) + 2).toString(16)}` })
    expect(second.calls).toMatchObject([{ status: '0x1' }, { status: '0x0', error: { code: 3 } }])
    expect(second.stateRoot).not.toBe(first.stateRoot)
  })

  test('a simulation begins its blocks as real ones begin, with the hash of the one before', async () => {
    const head = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    const hashOf = (number: number) => ({ to: HISTORY_STORAGE, data: `0x${number.toString(16).padStart(64, '0')}` })
    const [first, second] = await rpc(url, 'eth_simulateV1', {
      blockStateCalls: [
        { calls: [hashOf(Number(head.number))] },
        { calls: [hashOf(Number(head.number)), hashOf(Number(head.number) + 1)] },
      ],
    })
    expect(first.calls).toMatchObject([{ returnData: head.hash }])
    expect(second.calls).toMatchObject([{ returnData: head.hash }, { returnData: first.hash }])
  })

  test('a simulation fills the heights in between', async () => {
    const head = Number(await rpc(url, 'eth_blockNumber'))
    const number = `0x${(head + 3).toString(16)}`
    const blocks = await rpc(url, 'eth_simulateV1', { blockStateCalls: [{ blockOverrides: { number } }, {}] })
    expect(blocks.map((block: { number: string }) => Number(block.number) - head)).toEqual([1, 2, 3, 4])
  })

  test('a simulation holds calls to the rules of transactions where asked to', async () => {
    const strictly = (call: object) =>
      ask(url, 'eth_simulateV1', {
        blockStateCalls: [{ calls: [{ from: SENDER, to: OTHER, ...call }] }],
        validation: true,
      })
    const maxFeePerGas = '0x2540be400'
    expect((await strictly({})).error).toMatchObject({ code: -38012 })
    expect((await strictly({ maxFeePerGas, nonce: '0x0' })).error).toMatchObject({ code: -38010 })
    expect((await strictly({ maxFeePerGas, nonce: '0xfff' })).error).toMatchObject({ code: -38011 })
    expect((await strictly({ maxFeePerGas, gas: '0x5208' })).result).toMatchObject([{ calls: [{ status: '0x1' }] }])
  })

  test('a simulation refuses what cannot be', async () => {
    const poor = { blockStateCalls: [{ calls: [{ from: OTHER, to: RECEIVER, value: '0xffffffffffffffffffffff' }] }] }
    expect((await ask(url, 'eth_simulateV1', poor)).error).toMatchObject({ code: -38014 })
    const back = { blockStateCalls: [{ blockOverrides: { number: '0x0' } }] }
    expect((await ask(url, 'eth_simulateV1', back)).error).toMatchObject({ code: -38020 })
  })
})

describe('a trace', () => {
  test('a trace shows the calls of a transaction in every form', async () => {
    const { hash, address } = await deployed('WrappedEther')
    expect(await rpc(url, 'debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      type: 'CREATE',
      from: SENDER,
      to: address,
    })
    const block = (await rpc(url, 'eth_getTransactionReceipt', hash)).blockNumber
    const traces = await rpc(url, 'debug_traceBlockByNumber', block, { tracer: 'callTracer' })
    expect(traces.map(({ txHash }: { txHash: string }) => txHash)).toContain(hash)
    const flat = await rpc(url, 'trace_block', block)
    expect(flat).toContainEqual(expect.objectContaining({ transactionHash: hash, type: 'create', traceAddress: [] }))
    expect(await rpc(url, 'trace_transaction', hash)).toEqual(
      flat.filter(({ transactionHash }: { transactionHash: string }) => transactionHash === hash),
    )
    const { pre, post } = await rpc(url, 'debug_traceTransaction', hash, {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    })
    expect(pre[SENDER].nonce + 1).toBe(post[SENDER].nonce)
    expect(post[address].code).toMatch(/^0x60/)
    const { structLogs, failed } = await rpc(url, 'debug_traceTransaction', hash)
    expect(failed).toBe(false)
    expect(structLogs[0]).toMatchObject({ pc: 0, op: 'PUSH1', depth: 1 })
  })

  test('a trace shows a call that nobody sent', async () => {
    const overrides = { stateOverrides: { [RECEIVER]: { code: SLOT_READER } } }
    const { returnValue, structLogs } = await rpc(url, 'debug_traceCall', { to: RECEIVER }, 'latest', overrides)
    expect(returnValue).toBe(word(0))
    expect(structLogs).toHaveLength(7)
  })
})

describe('logs', () => {
  test('logs come by range, by topic and by block, and a filter gives new ones once', async () => {
    const { address } = await deployed('WrappedEther')
    const id = await rpc(url, 'eth_newFilter', { address })
    await send({ to: address, data: '0xd0e30db0', value: '0x1' })
    const blockHash = await rpc(url, 'devnet_seal')
    const byBlock = await rpc(url, 'eth_getLogs', { address, blockHash })
    expect(byBlock).toHaveLength(1)
    expect(await rpc(url, 'eth_getFilterChanges', id)).toEqual(byBlock)
    expect(await rpc(url, 'eth_getFilterChanges', id)).toEqual([])
    const topic = byBlock[0].topics[0]
    const query = (topics: unknown) => rpc(url, 'eth_getLogs', { address, fromBlock: 'earliest', topics })
    expect(await query([[topic, word(1)]])).toEqual(byBlock)
    expect(await query([null, `0x${SENDER.slice(2).padStart(64, '0')}`])).toEqual(byBlock)
    expect(await query([word(1)])).toEqual([])
    expect(await rpc(url, 'eth_uninstallFilter', id)).toBe(true)
    expect(await rpc(url, 'eth_uninstallFilter', id)).toBe(false)
  })
})

describe('a subscription', () => {
  test('a subscription sends heads, logs and waiting transactions, and takes logs back after a reorg', async () => {
    const { address } = await deployed('WrappedEther')
    const socket = await openSocket(devnet.wsUrl)
    const subscriptions = await socket.ask([
      ['eth_subscribe', 'newHeads'],
      ['eth_subscribe', 'logs', { address }],
      ['eth_subscribe', 'newPendingTransactions'],
    ])
    const [heads, logs, pending] = subscriptions.map((id) => () => socket.notifications(String(id)))
    const hash = await send({ to: address, data: '0xd0e30db0', value: '0x1' })
    const blockHash = await rpc(url, 'devnet_seal')
    await socket.ask([['eth_chainId']])
    expect(pending!()).toEqual([hash])
    expect(heads!()).toMatchObject([{ hash: blockHash }])
    expect(logs!()).toMatchObject([{ blockHash, transactionHash: hash, removed: false }])

    const otherHash = await rpc(url, 'devnet_reorg', '0x1')
    expect(otherHash).not.toBe(blockHash)
    await socket.ask([['eth_unsubscribe', subscriptions[0]]])
    expect(heads!().at(-1)).toMatchObject({ hash: otherHash })
    expect(logs!()[1]).toMatchObject({ blockHash, removed: true })
    await rpc(url, 'devnet_seal')
    await socket.ask([['eth_chainId']])
    expect(heads!()).toHaveLength(2)
    socket.close()
  })
})

describe('the feed', () => {
  test('the feed sends every flashblock from the next one on, and the last one is the block', async () => {
    await rpc(url, 'devnet_seal')
    const socket = await openSocket(devnet.feedUrl)
    await rpc(url, 'devnet_step')
    const hash = await send({ to: RECEIVER, value: '0x1' })
    await rpc(url, 'devnet_step')
    const blockHash = await rpc(url, 'devnet_seal')
    await rpc(url, 'eth_chainId')
    const flashblocks = socket.received.map((message) => {
      const parsed = feedMessageFrom(message)
      if (parsed.type !== 'flashblock') throw new Error(JSON.stringify(parsed))
      return parsed.flashblock
    })
    expect(flashblocks.map(({ index }) => index)).toEqual(flashblocks.map((_, index) => index))
    expect(flashblocks.at(-1)!.diff.block_hash).toBe(blockHash)
    expect(flashblocks.some(({ metadata }) => metadata.receipts?.[hash] !== undefined)).toBe(true)
    socket.close()
  })
})

describe('deposits', () => {
  test('deposits come first in the next block and bring their Ether along', async () => {
    const hash = await rpc(url, 'devnet_deposit', { from: OTHER, to: OTHER, mint: '0x5', value: '0x5', gas: '0x10000' })
    await rpc(url, 'devnet_seal')
    const receipt = await rpc(url, 'eth_getTransactionReceipt', hash)
    expect(receipt).toMatchObject({ type: '0x7e', status: '0x1', transactionIndex: '0x1', depositNonce: '0x0' })
    expect(await rpc(url, 'eth_getBalance', OTHER)).toBe('0x5')
  })
})

describe('history', () => {
  test('the devnet gives fees with one base fee more than blocks', async () => {
    const { baseFeePerGas, gasUsedRatio, reward } = await rpc(url, 'eth_feeHistory', '0x3', 'latest', [25, 75])
    expect([baseFeePerGas.length, gasUsedRatio.length, reward.length]).toEqual([4, 3, 3])
  })

  test('the devnet gives blocks, headers and receipts in their canonical bytes', async () => {
    const { hash } = await rpc(url, 'eth_getBlockByNumber', 'latest', false)
    expect(keccak256(await rpc(url, 'debug_getRawHeader', 'latest'))).toBe(hash)
    const raw = await rpc(url, 'debug_getRawBlock', 'latest')
    expect(raw).toContain((await rpc(url, 'debug_getRawHeader', 'latest')).slice(2))
    expect(await rpc(url, 'debug_getRawReceipts', 'latest')).toHaveLength(
      Number(await rpc(url, 'eth_getBlockTransactionCountByNumber', 'latest')),
    )
  })
})

describe('over HTTP', () => {
  test('the devnet reads calldata as long as a body may be', async () => {
    const data = `0x${'ab'.repeat(4_900_000)}`
    expect((await ask(url, 'eth_call', { to: RECEIVER, data })).error).toMatchObject({ code: -32000 })
    expect((await ask(url, 'eth_call', { to: RECEIVER, data: `${data}a` })).error).toMatchObject({ code: -32602 })
  })

  test('the devnet answers pages of any origin and any content type', async () => {
    const preflight = await fetch(url, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
    expect(await response.json()).toMatchObject({ result: '0x146770' })
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(405)
  })

  test('the devnet refuses a body that is too long and a batch that is too large', async () => {
    expect((await fetch(url, { method: 'POST', body: 'a'.repeat(10_000_001) })).status).toBe(413)
    const batch = `[${Array(1_001).fill('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}').join(',')}]`
    expect(await (await fetch(url, { method: 'POST', body: batch })).json()).toMatchObject({ error: { code: -32005 } })
  })
})

const OTHER = '0x00000000000000000000000000000000000c0de6'
function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Of the second developer, for whom no other test sends. */
async function signedTransfer(): Promise<`0x${string}`> {
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 1 })
  return account.signTransaction({
    chainId: 1_337_200,
    nonce: Number(await rpc(url, 'eth_getTransactionCount', account.address, 'latest')),
    to: RECEIVER,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
}

/** Deploys a contract that needs no arguments, in a block of its own. */
async function deployed(name: 'WrappedEther'): Promise<{ hash: `0x${string}`; address: `0x${string}` }> {
  const { abi, bytecode } = artifactOf(name)
  const hash = await send({ data: encodeDeployData({ abi, bytecode }) })
  await rpc(url, 'devnet_seal')
  const { contractAddress } = await createPublicClient({ transport: http(url) }).getTransactionReceipt({ hash })
  return { hash, address: contractAddress! }
}

type Message = { id?: number; result?: unknown; params?: { subscription: string; result: unknown } }

async function openSocket(address: string) {
  const socket = new WebSocket(address)
  const received: Message[] = []
  const waiting = new Map<number, (result: unknown) => void>()
  socket.on('message', (text) => {
    const message = JSON.parse(text.toString()) as Message
    received.push(message)
    if (message.id !== undefined) waiting.get(message.id)?.(message.result)
  })
  await new Promise((resolve) => socket.once('open', resolve))
  let id = 0
  return {
    received,
    close: () => socket.close(),
    notifications: (subscription: string) =>
      received.flatMap(({ params }) => (params?.subscription === subscription ? [params.result] : [])),
    ask: (requests: readonly (readonly unknown[])[]) =>
      Promise.all(
        requests.map(([method, ...params]) => {
          const { promise, resolve } = Promise.withResolvers<unknown>()
          waiting.set(++id, resolve)
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
          return promise
        }),
      ),
  }
}
