// A devnet that makes blocks only on request: what its methods answer, and how they refuse.
import { keccak256 } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers, TEST_MNEMONIC } from '../../devnet/genesis/accounts.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'
import { deployWrappedEther } from '../support/wrapped-ether.ts'

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

describe('a trace', () => {
  test('a trace shows the calls of a transaction in every form', async () => {
    const { hash, address } = await deployWrappedEther(url)
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
