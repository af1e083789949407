// What E20 and its sisters answer in the middle of a block, and what the node says of the same once the block is sealed.
import { describe, expect, test } from 'vitest'
import { send } from '../../devnet/chain/chain-for-tests.ts'
import { callOf } from '../../devnet/contracts/calldata.ts'
import { toQuantity } from '../../src/chain/bytes/hex.ts'
import { rpc } from '../support/devnet.ts'
import { alice, balanceOfAlice, bob, ETHER, startMiddleOfBlock, weth } from '../support/middle-of-block.ts'

describe('in the middle of a block', () => {
  test('JSON-RPC gives the pending height with the tag, the canonical one without, and the tip under its number and hash', async () => {
    const { pending, tip } = await startMiddleOfBlock()
    expect(await pending.get('eth_blockNumber', 'pending')).toBe('0x2')
    expect(await pending.get('eth_blockNumber')).toBe('0x1')
    const block = await pending.get('eth_getBlockByNumber', 'pending', true)
    expect(block).toMatchObject({ hash: tip, number: '0x2', withdrawals: [] })
    expect(await pending.get('eth_getBlockByNumber', '0x2', true)).toEqual(block)
    expect(await pending.get('eth_getBlockByHash', tip, true)).toEqual(block)
    expect(await pending.get('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x1' })
    expect(await pending.get('eth_getBlockByNumber', '0x3', false)).toBeNull()
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = block
    for (const at of ['pending', '0x2', tip]) expect(await pending.get('eth_getHeaderByNumber', at)).toEqual(header)
    expect(await pending.get('eth_getHeaderByHash', tip)).toEqual(header)
  })

  test('JSON-RPC does not take a flashblock for canonical where that is asked for', async () => {
    const { pending, tip } = await startMiddleOfBlock()
    const balanceAt = (blockHash: string) => pending.ask('eth_getBalance', alice, { blockHash, requireCanonical: true })
    const refused = { error: { code: -32000, message: 'hash is not currently canonical' } }
    expect(await balanceAt(tip)).toMatchObject(refused)
    await pending.seal()
    expect((await balanceAt(tip)).result).toBe(await rpc(pending.nodeUrl, 'eth_getBalance', alice, '0x2'))
    const { hash } = pending.devnet.chain.head()
    pending.devnet.chain.reorg(1)
    await pending.caughtUp()
    expect((await balanceAt(hash)).error).toBeDefined()
  })

  test('JSON-RPC goes on answering for an earlier flashblock by its hash, blocks and state', async () => {
    const { pending, first, wrapped, sent } = await startMiddleOfBlock()
    const block = await pending.get('eth_getBlockByHash', first, false)
    expect(block.transactions).toContain(wrapped)
    expect(block.transactions).not.toContain(sent)
    expect(await pending.get('eth_getBlockTransactionCountByHash', first)).toBe('0x2')
    expect(
      await pending.get('eth_getBalance', '0x0000000000000000000000000000000000000b0b', { blockHash: first }),
    ).toBe('0x0')
    expect(await pending.get('eth_getBalance', '0x0000000000000000000000000000000000000b0b', 'pending')).toBe('0x5')
    expect(await pending.get('eth_getTransactionCount', alice, { blockHash: first })).toBe('0x1')
  })

  test('JSON-RPC gives receipts, transactions, code and storage that the sealed block gives too', async () => {
    const { pending, wrapped, sent } = await startMiddleOfBlock()
    const slots = ['0x0', '0x3']
    const questions: [string, ...unknown[]][] = [
      ['eth_getBlockByNumber', '0x2', true],
      ['eth_getBlockReceipts', '0x2'],
      ['eth_getTransactionReceipt', wrapped],
      ['eth_getTransactionReceipt', sent],
      ['eth_getTransactionByHash', sent],
      ['eth_getRawTransactionByHash', sent],
      ['eth_getTransactionByBlockNumberAndIndex', '0x2', '0x1'],
      ['eth_getRawTransactionByBlockNumberAndIndex', '0x2', '0x1'],
      ['eth_getRawTransactionByBlockNumberAndIndex', '0x2', '0x63'],
      ['eth_getHeaderByNumber', '0x2'],
      ['eth_getBlockTransactionCountByNumber', '0x2'],
      ['eth_getCode', weth, '0x2'],
      ...[alice, bob, weth].map((address): [string, ...unknown[]] => ['eth_getBalance', address, '0x2']),
      ...slots.map((slot): [string, ...unknown[]] => ['eth_getStorageAt', weth, slot, '0x2']),
      ['eth_getTransactionCount', alice, '0x2'],
      ['eth_call', balanceOfAlice, '0x2'],
      ['eth_estimateGas', { from: alice, to: weth, data: callOf('WrappedEther', 'withdraw', [ETHER]) }, '0x2'],
    ]
    const before = await pending.batch(...questions)
    expect(before).not.toContain(undefined)
    pending.devnet.chain.seal()
    for (const [at, [method, ...params]] of questions.entries()) {
      expect(before[at], method).toEqual(await rpc(pending.nodeUrl, method, ...params))
    }
    await pending.caughtUp()
    expect(await pending.batch(...questions)).toEqual(before)
  })

  test('JSON-RPC runs calls in the block environment of the same snapshot, with overrides of state and block', async () => {
    const { pending } = await startMiddleOfBlock()
    const [number, timestamp] = ['43', '42']
    const at = (opcode: string) => ({ [bob]: { code: `0x${opcode}60005260206000f3` } })
    const header = pending.devnet.chain.pending().header
    const call = (opcode: string, ...rest: unknown[]) =>
      pending.get('eth_call', { to: bob }, 'pending', at(opcode), ...rest)
    expect(Number(await call(number!))).toBe(header.number)
    expect(Number(await call(timestamp!))).toBe(header.timestamp)
    expect(Number(await call(number!, { number: '0x64' }))).toBe(100)
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))).toBe(ETHER)
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'latest'))).toBe(0n)
    expect(await pending.get('eth_estimateGas', { from: alice, to: bob, value: '0x1' }, 'pending')).toBe('0x5208')
  })

  test('JSON-RPC says why a call failed', async () => {
    const { pending } = await startMiddleOfBlock()
    const tooMuch = { from: bob, to: weth, data: callOf('WrappedEther', 'withdraw', [ETHER]) }
    const { error } = await pending.ask('eth_call', tooMuch, 'pending')
    expect(error).toMatchObject({ code: 3, data: expect.stringMatching(/^0x/) })
    expect(error).toEqual((await pending.ask('eth_call', tooMuch, 'latest')).error)
    const poor = { from: '0x00000000000000000000000000000000000000aa', to: bob, value: '0x1' }
    expect((await pending.ask('eth_call', poor, 'pending')).error).toMatchObject({ code: -32000 })
    expect((await pending.ask('eth_estimateGas', tooMuch, 'pending')).error).toMatchObject({ code: 3 })
  })

  test('JSON-RPC counts what waits in the pool for the nonce at the tag, not at the number', async () => {
    const { pending } = await startMiddleOfBlock()
    send(pending.devnet.chain, { from: 0, nonce: 2, to: 0xb0bn })
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x3')
    expect(await pending.get('eth_getTransactionCount', alice, '0x2')).toBe('0x2')
    expect(await pending.get('eth_getTransactionCount', alice, 'latest')).toBe('0x0')
  })

  test('JSON-RPC finds logs across the canonical and the pending blocks', async () => {
    const { pending, wrapped, tip } = await startMiddleOfBlock()
    const filter = { address: weth, topics: [] }
    const [log] = await pending.get('eth_getLogs', { ...filter, fromBlock: '0x0', toBlock: 'pending' })
    expect(log).toMatchObject({ transactionHash: wrapped, blockHash: tip, blockNumber: '0x2', removed: false })
    expect(await pending.get('eth_getLogs', { ...filter, blockHash: tip })).toEqual([log])
    expect(await pending.get('eth_getLogs', { ...filter, fromBlock: '0x0', toBlock: 'latest' })).toEqual([])
    expect(await pending.get('eth_getLogs', { ...filter, fromBlock: '0x2', toBlock: '0x2' })).toEqual([log])
    const { seal } = pending
    const { hash } = pending.devnet.chain.pending()
    await seal()
    expect(await pending.get('eth_getLogs', { ...filter, fromBlock: '0x0' })).toEqual([{ ...log, blockHash: hash }])
    expect((await pending.ask('eth_getLogs', { fromBlock: '0x0', toBlock: '0xffffff' })).error).toMatchObject({
      code: -32005,
    })
  })

  test('JSON-RPC extends the history of fees by what is pending', async () => {
    const { pending } = await startMiddleOfBlock()
    const before = await pending.get('eth_feeHistory', '0x2', 'pending', [50])
    expect(before).toMatchObject({ oldestBlock: '0x1' })
    expect([before.gasUsedRatio.length, before.baseFeePerGas.length, before.reward.length]).toEqual([2, 3, 2])
    pending.devnet.chain.seal()
    expect(before).toEqual(await rpc(pending.nodeUrl, 'eth_feeHistory', '0x2', '0x2', [50]))
  })

  test('JSON-RPC counts the history of fees from the newest block back, however many are pending', async () => {
    const { pending } = await startMiddleOfBlock()
    const { chain } = pending.devnet
    const blocks = () => pending.pendingChain.view().snapshot.blocks
    // Until a block is announced before the node reports the one below it.
    while (blocks().length < 2) {
      chain.step()
      while (blocks().at(-1)?.hash !== chain.pending().hash) await sleep(2)
    }
    const newest = chain.pending().header
    expect(await pending.get('eth_feeHistory', '0x1', 'pending')).toMatchObject({
      oldestBlock: toQuantity(newest.number),
      baseFeePerGas: [toQuantity(newest.baseFeePerGas!), expect.any(String)],
      gasUsedRatio: [Number(newest.gasUsed) / Number(newest.gasLimit)],
    })
  })

  test('JSON-RPC answers a batch from one moment, whatever comes meanwhile', async () => {
    const { pending } = await startMiddleOfBlock()
    const answering = pending.batch(
      ['eth_blockNumber', 'latest'],
      ['eth_getBlockByNumber', 'pending', false],
      ['eth_getTransactionCount', alice, 'pending'],
      ['eth_getBalance', bob, 'latest'],
      ['eth_call', balanceOfAlice, 'pending'],
      ['eth_blockNumber', 'pending'],
      ['eth_getBlockByNumber', 'latest', false],
    )
    pending.devnet.chain.seal()
    const [latest, block, nonce, , , height, head] = await answering
    expect([latest, height, block.number, nonce, head.number]).toEqual(['0x1', '0x2', '0x2', '0x2', '0x1'])
    expect(block.parentHash).toBe(head.hash)
  })

  test('JSON-RPC takes the tip for the latest block where the operator chose so', async () => {
    const { pending, tip } = await startMiddleOfBlock({ latest: 'preconfirmed' })
    expect(await pending.get('eth_blockNumber')).toBe('0x2')
    expect(await pending.get('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: tip })
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'latest'))).toBe(ETHER)
  })

  test('JSON-RPC knows what became of a transaction', async () => {
    const { pending, sent } = await startMiddleOfBlock()
    expect(await pending.get('firstlight_transactionStatus', sent)).toMatchObject({
      stage: 'preconfirmed',
      preconfirmed: { height: 2, position: 2, flashblockIndex: 2 },
    })
    const waiting = send(pending.devnet.chain, { from: 0, nonce: 2 })
    expect(await pending.get('firstlight_transactionStatus', waiting)).toMatchObject({ stage: 'seen' })
    await pending.seal()
    expect(await pending.get('firstlight_transactionStatus', sent)).toMatchObject({
      included: { height: 2, position: 2 },
    })
    const never = `0x${'12'.repeat(32)}`
    expect(await pending.get('firstlight_transactionStatus', never)).toEqual({ hash: never, stage: 'unknown' })
  })

  test('JSON-RPC passes on what it may, and refuses the rest by name', async () => {
    const { pending } = await startMiddleOfBlock()
    expect(await pending.get('eth_gasPrice')).toBe(await rpc(pending.nodeUrl, 'eth_gasPrice'))
    expect(await pending.get('eth_chainId')).toBe('0x146770')
    expect(await pending.get('net_version')).toBe('1337200')
    expect(await pending.get('web3_clientVersion')).toMatch(/^Firstlight\/v.* over Firstlight-Devnet/)
    expect(await pending.get('eth_flashblocksEnabled')).toBe(true)
    for (const method of ['eth_accounts', 'txpool_content', 'debug_storageRangeAt', 'devnet_seal', 'eth_sign']) {
      expect((await pending.ask(method)).error, method).toMatchObject({ code: -32601 })
    }
  })
})

function sleep(ms: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, ms))
}
