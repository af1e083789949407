// What E20 and its sisters answer in the middle of a block, and what the node says of the same once the block is sealed.
import { afterEach, describe, expect, it } from 'vitest'
import { WRAPPED_ETHER } from '../src/chain/addresses.ts'
import { addressToHex, bytesToHex, type Hex, hexToBytes } from '../src/chain/hex.ts'
import { developer, send, signed } from '../src/devnet/chain/chain-for-tests.ts'
import { callOf } from '../src/devnet/contracts/calldata.ts'
import { rpc } from './support/devnet.ts'
import { listen, type PendingRpc, type PendingRpcOptions, startPendingRpc } from './support/pending-rpc.ts'

let pending: PendingRpc
afterEach(() => pending?.stop())

const weth = addressToHex(WRAPPED_ETHER)
const [alice, bob] = [0, 1].map((index) => addressToHex(developer(index))) as [Hex, Hex]
const ETHER = 10n ** 18n
const deposit = { to: WRAPPED_ETHER, data: hexToBytes(callOf('WrappedEther', 'deposit')), gas: 100_000n, value: ETHER }
const balanceOfAlice = { to: weth, data: callOf('WrappedEther', 'balanceOf', [alice]) }

/** Block 1 is sealed; in block 2 Alice has wrapped Ether in the first flashblock and sent some in the second. */
async function inTheMiddle(options: PendingRpcOptions = {}) {
  pending = await startPendingRpc(options)
  const { devnet, step, seal } = pending
  send(devnet.chain, { from: 1, nonce: 0, to: 0xcafen, value: 7n })
  await step()
  await seal()
  await step()
  const wrapped = send(devnet.chain, { from: 0, nonce: 0, ...deposit })
  await step()
  const first = (await pending.get('eth_getBlockByNumber', 'pending', false)) as { hash: Hex }
  const sent = send(devnet.chain, { from: 0, nonce: 1, to: 0xb0bn, value: 5n })
  await step()
  return { wrapped, sent, first: first.hash, tip: devnet.chain.pending().hash }
}

describe('in the middle of a block', () => {
  it('tells the pending height with the tag, the canonical one without, and the tip under its number and hash', async () => {
    const { tip } = await inTheMiddle()
    expect(await pending.get('eth_blockNumber', 'pending')).toBe('0x2')
    expect(await pending.get('eth_blockNumber')).toBe('0x1')
    const block = await pending.get('eth_getBlockByNumber', 'pending', true)
    expect(block).toMatchObject({ hash: tip, number: '0x2', withdrawals: [] })
    expect(await pending.get('eth_getBlockByNumber', '0x2', true)).toEqual(block)
    expect(await pending.get('eth_getBlockByHash', tip, true)).toEqual(block)
    expect(await pending.get('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x1' })
    expect(await pending.get('eth_getBlockByNumber', '0x3', false)).toBeNull()
  })

  it('keeps answering for an earlier flashblock by its hash, blocks and state', async () => {
    const { first, wrapped, sent } = await inTheMiddle()
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

  it('gives receipts, transactions, code and storage that the sealed block gives too', async () => {
    const { wrapped, sent } = await inTheMiddle()
    const slots = ['0x0', '0x3']
    const questions: [string, ...unknown[]][] = [
      ['eth_getBlockByNumber', '0x2', true],
      ['eth_getBlockReceipts', '0x2'],
      ['eth_getTransactionReceipt', wrapped],
      ['eth_getTransactionReceipt', sent],
      ['eth_getTransactionByHash', sent],
      ['eth_getRawTransactionByHash', sent],
      ['eth_getTransactionByBlockNumberAndIndex', '0x2', '0x1'],
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

  it('runs calls in the block environment of the same snapshot, with overrides of state and block', async () => {
    await inTheMiddle()
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

  it('says why a call failed', async () => {
    await inTheMiddle()
    const tooMuch = { from: bob, to: weth, data: callOf('WrappedEther', 'withdraw', [ETHER]) }
    const { error } = await pending.ask('eth_call', tooMuch, 'pending')
    expect(error).toMatchObject({ code: 3, data: expect.stringMatching(/^0x/) })
    expect(error).toEqual((await pending.ask('eth_call', tooMuch, 'latest')).error)
    const poor = { from: '0x00000000000000000000000000000000000000aa', to: bob, value: '0x1' }
    expect((await pending.ask('eth_call', poor, 'pending')).error).toMatchObject({ code: -32000 })
    expect((await pending.ask('eth_estimateGas', tooMuch, 'pending')).error).toMatchObject({ code: 3 })
  })

  it('counts what waits in the pool for the nonce at the tag, not at the number', async () => {
    await inTheMiddle()
    send(pending.devnet.chain, { from: 0, nonce: 2, to: 0xb0bn })
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x3')
    expect(await pending.get('eth_getTransactionCount', alice, '0x2')).toBe('0x2')
    expect(await pending.get('eth_getTransactionCount', alice, 'latest')).toBe('0x0')
  })

  it('finds logs across the canonical and the pending blocks', async () => {
    const { wrapped, tip } = await inTheMiddle()
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

  it('extends the history of fees by what is pending', async () => {
    await inTheMiddle()
    const before = await pending.get('eth_feeHistory', '0x2', 'pending', [50])
    expect(before).toMatchObject({ oldestBlock: '0x1' })
    expect([before.gasUsedRatio.length, before.baseFeePerGas.length, before.reward.length]).toEqual([2, 3, 2])
    pending.devnet.chain.seal()
    expect(before).toEqual(await rpc(pending.nodeUrl, 'eth_feeHistory', '0x2', '0x2', [50]))
  })

  it('simulates blocks on what is pending, and traces calls and preconfirmed transactions', async () => {
    const { wrapped } = await inTheMiddle()
    const simulation = {
      blockStateCalls: [
        { calls: [{ from: alice, ...balanceOfAlice }] },
        { calls: [{ from: alice, to: bob, value: '0x1' }] },
      ],
    }
    const [first, second] = await pending.get('eth_simulateV1', simulation, 'pending')
    expect(first).toMatchObject({ number: '0x3', parentHash: pending.devnet.chain.pending().hash })
    expect(BigInt(first.calls[0].returnData)).toBe(ETHER)
    expect(second).toMatchObject({ number: '0x4', parentHash: first.hash })
    const config = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    const trace = await pending.get('debug_traceTransaction', wrapped, config)
    const call = await pending.get('debug_traceCall', balanceOfAlice, 'pending', { tracer: 'callTracer' })
    expect(BigInt(call.output)).toBe(ETHER)
    expect((await pending.ask('debug_traceCall', balanceOfAlice, 'pending', {})).error).toMatchObject({ code: -32602 })
    pending.devnet.chain.seal()
    expect(trace).toEqual(await rpc(pending.nodeUrl, 'debug_traceTransaction', wrapped, config))
  })

  it('answers a batch from one moment, whatever comes meanwhile', async () => {
    await inTheMiddle()
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

  it('takes the tip for the latest block where it is told to', async () => {
    const { tip } = await inTheMiddle({ latest: 'preconfirmed' })
    expect(await pending.get('eth_blockNumber')).toBe('0x2')
    expect(await pending.get('eth_getBlockByNumber', 'latest', false)).toMatchObject({ hash: tip })
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'latest'))).toBe(ETHER)
  })

  it('knows what became of a transaction', async () => {
    const { sent } = await inTheMiddle()
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

  it('passes on what it may, and refuses the rest by name', async () => {
    await inTheMiddle()
    expect(await pending.get('eth_gasPrice')).toBe(await rpc(pending.nodeUrl, 'eth_gasPrice'))
    expect(await pending.get('eth_chainId')).toBe('0x539')
    expect(await pending.get('net_version')).toBe('1337')
    expect(await pending.get('web3_clientVersion')).toMatch(/^Firstlight\/v.* over Firstlight-Devnet/)
    expect(await pending.get('eth_flashblocksEnabled')).toBe(true)
    for (const method of [
      'eth_accounts',
      'txpool_content',
      'debug_traceBlockByNumber',
      'devnet_seal',
      'eth_newFilter',
    ]) {
      expect((await pending.ask(method)).error, method).toMatchObject({ code: -32601 })
    }
  })
})

describe('without state', () => {
  it('tells what the feed itself carries, and answers calls from the canonical head', async () => {
    const { sent, wrapped } = await inTheMiddle({ isExecuting: false })
    expect(await pending.get('eth_getTransactionReceipt', wrapped)).toMatchObject({ status: '0x1', blockNumber: '0x2' })
    expect(await pending.get('eth_getTransactionByHash', sent)).toMatchObject({ blockNumber: '0x2' })
    expect(await pending.get('eth_getBalance', '0x0000000000000000000000000000000000000b0b', 'pending')).toBe('0x5')
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x2')
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))).toBe(0n)
    expect((await pending.ask('eth_call', balanceOfAlice, '0x2')).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('the executor is off'),
    })
  })

  it('never mixes moments in a batch: with a call in it, pending is latest', async () => {
    await inTheMiddle({ isExecuting: false })
    const [height, balance] = await pending.batch(
      ['eth_blockNumber', 'pending'],
      ['eth_call', balanceOfAlice, 'pending'],
    )
    expect([height, BigInt(balance)]).toEqual(['0x1', 0n])
    const [alone] = await pending.batch(['eth_blockNumber', 'pending'], ['eth_getBlockByNumber', 'pending', false])
    expect(alone).toBe('0x2')
  })

  it('fills in receipts that the feed leaves out', async () => {
    const { wrapped } = await inTheMiddle({ leavesOut: true })
    const receipt = await pending.get('eth_getTransactionReceipt', wrapped)
    expect(receipt).toMatchObject({ status: '0x1', logs: [{ address: weth }] })
    pending.devnet.chain.seal()
    expect(receipt).toEqual(await rpc(pending.nodeUrl, 'eth_getTransactionReceipt', wrapped))
  })

  it('answers latest for pending where there is no feed', async () => {
    pending = await startPendingRpc({ isDeaf: true })
    send(pending.devnet.chain, { from: 0, nonce: 0 })
    await pending.seal()
    for (const block of ['latest', 'pending']) {
      expect(await pending.get('eth_blockNumber', block)).toBe('0x1')
      expect(await pending.get('eth_getBlockByNumber', block, false)).toMatchObject({ number: '0x1' })
      expect(await pending.get('eth_getTransactionCount', alice, block)).toBe('0x1')
    }
    expect(await pending.batch(['eth_blockNumber', 'pending'], ['eth_getTransactionCount', alice, 'latest'])).toEqual([
      '0x1',
      '0x1',
    ])
    expect(await pending.get('eth_flashblocksEnabled')).toBe(false)
  })
})

describe('bounds', () => {
  const endless: Hex = '0x5b600056'
  const RETURN_FIRST_WORD = '60206000f3'

  it('ends a call that takes too long, and others run meanwhile', async () => {
    await inTheMiddle({ limits: { gasCap: 10n ** 12n, callTimeoutMs: 300 } })
    const code = { [bob]: { code: endless } }
    const calls = [1, 2, 3].map(() =>
      pending.ask('eth_call', { to: bob, gas: '0xffffffffff' }, 'pending', code, { gasLimit: '0xffffffffff' }),
    )
    const startedMs = performance.now()
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))).toBe(ETHER)
    const tookMs = performance.now() - startedMs
    for (const { error } of await Promise.all(calls)) {
      expect(error).toEqual({ code: -32000, message: 'execution aborted (timeout = 300 ms)' })
    }
    expect(performance.now() - startedMs).toBeGreaterThan(tookMs)
    expect(BigInt(await pending.get('eth_call', balanceOfAlice, 'pending'))).toBe(ETHER)
  })

  it('has a limit on long calls at once, and ends them with itself', async () => {
    await inTheMiddle({ limits: { gasCap: 10n ** 12n, callTimeoutMs: 60_000 } })
    const long = { to: bob, gas: '0xffffffffff' }
    const call = () =>
      pending.ask('eth_call', long, 'pending', { [bob]: { code: endless } }, { gasLimit: '0xffffffffff' })
    const calls = Array.from({ length: 257 }, call)
    expect((await Promise.race(calls)).error).toMatchObject({ code: -32005 })
    pending.rpc.stop()
    const codes = (await Promise.all(calls)).map(({ error }) => error?.code)
    expect(codes.filter((code) => code === -32000)).toHaveLength(256)
  })

  it('gives interleaved calls the results that they have alone', async () => {
    await inTheMiddle()
    const carol = addressToHex(developer(2))
    /** Adds up n to 1 in memory. */
    const sum = (n: number) =>
      `0x63${n.toString(16).padStart(8, '0')}5b80600051016000526001900380600557${RETURN_FIRST_WORD}`
    // Bob lets Carol do it, so that frames of two depths are in use at every pause.
    const forward = `0x6020600060006000600073${carol.slice(2)}5af150${RETURN_FIRST_WORD}`
    const run = async (n: number) => {
      const overrides = { [bob]: { code: forward }, [carol]: { code: sum(n) } }
      return BigInt(await pending.get('eth_call', { to: bob }, 'pending', overrides))
    }
    const sizes = [60_000, 50_000, 40_000, 5]
    const expected = sizes.map((n) => (BigInt(n) * BigInt(n + 1)) / 2n)
    expect(await Promise.all(sizes.map(run))).toEqual(expected)
  })

  it('refuses more gas than the cap silently, and too large batches loudly', async () => {
    await inTheMiddle({ limits: { gasCap: 100_000n, callTimeoutMs: 1_000, maxBatch: 2 } })
    const { error } = await pending.ask('eth_call', { to: bob, gas: '0xffffff' }, 'pending', {
      [bob]: { code: endless },
    })
    expect(error).toMatchObject({ code: -32000, message: 'out of gas' })
    const three = JSON.stringify([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })))
    expect(JSON.parse((await pending.rpc.answer(three)).text!)).toMatchObject({ error: { code: -32005 } })
  })

  it('says so where the node does not answer, and still tells what it knows itself', async () => {
    let isDown = false
    const { sent } = await inTheMiddle({
      bend: {
        refuse: (method) => (isDown && method !== 'eth_chainId' ? { code: -32_005, message: 'too many' } : undefined),
      },
    })
    isDown = true
    expect((await pending.ask('eth_gasPrice')).error).toEqual({ code: -32_005, message: 'too many' })
    expect(await pending.get('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' })
    expect(await pending.get('eth_getTransactionCount', alice, 'pending')).toBe('0x2')
  })
})

describe('sending', () => {
  it('hands transactions to the node, and tells the account', async () => {
    const seen: Hex[] = []
    pending = await startPendingRpc({ account: { stagesOf: () => null, seen: (hash) => void seen.push(hash) } })
    const { raw, hash } = signed({ from: 0, nonce: 0 })
    expect(await pending.get('eth_sendRawTransaction', bytesToHex(raw))).toBe(hash)
    expect(seen).toEqual([hash])
    expect((await pending.ask('eth_sendRawTransaction', '0x1234')).error).toMatchObject({ code: -32000 })
  })

  it('waits for the preconfirmation, and no longer', async () => {
    await inTheMiddle()
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    const answering = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 10_000)
    while ((await rpc(pending.nodeUrl, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
    await pending.step()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x2', status: '0x1' })
    expect(await pending.get('eth_blockNumber')).toBe('0x1')
  })

  it('ends a wait with code 4 and the hash', async () => {
    await inTheMiddle()
    const { raw, hash } = signed({ from: 0, nonce: 2 })
    expect((await pending.ask('eth_sendRawTransactionSync', bytesToHex(raw), 50)).error).toMatchObject({
      code: 4,
      data: hash,
    })
    expect((await pending.ask('eth_sendRawTransactionSync', bytesToHex(raw), 60_000)).error).toMatchObject({
      code: -32602,
    })
  })

  it('finds the receipt in the sealed block where there is no feed', async () => {
    pending = await startPendingRpc({ isDeaf: true })
    const { raw, hash } = signed({ from: 0, nonce: 0 })
    const answering = pending.get('eth_sendRawTransactionSync', bytesToHex(raw), 10_000)
    while ((await rpc(pending.nodeUrl, 'eth_getTransactionByHash', hash)) === null) await sleep(2)
    await pending.seal()
    expect(await answering).toMatchObject({ transactionHash: hash, blockNumber: '0x1' })
  })
})

describe('subscriptions', () => {
  const subscribe = async (told: ReturnType<typeof listen>, ...params: unknown[]): Promise<Hex> => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params })
    return (JSON.parse((await pending.rpc.answer(text, told.connection)).text!) as { result: Hex }).result
  }
  // biome-ignore lint/suspicious/noExplicitAny: as many shapes as there are kinds
  const newsOf = (told: ReturnType<typeof listen>, id: Hex): any[] =>
    told.messages.filter(({ params }) => params.subscription === id).map(({ params }) => params.result)

  it('are for connections that stay', async () => {
    await inTheMiddle()
    expect((await pending.ask('eth_subscribe', 'newHeads')).error).toMatchObject({ code: -32001 })
    expect((await pending.ask('eth_subscribe', 'weather')).error).toMatchObject({ code: -32602 })
  })

  it('tell of flashblocks, their transactions and logs as they come, and of heads and logs as blocks are sealed', async () => {
    await inTheMiddle()
    const told = listen()
    const kinds = ['newFlashblocks', 'newFlashblockTransactions', 'newHeads'] as const
    const [flashblocks, transactions, heads] = await Promise.all(kinds.map((kind) => subscribe(told, kind)))
    const whole = await subscribe(told, 'newFlashblockTransactions', true)
    const ofWeth = { address: weth }
    const [pendingLogs, logs] = [await subscribe(told, 'pendingLogs', ofWeth), await subscribe(told, 'logs', ofWeth)]
    const elsewhere = await subscribe(told, 'pendingLogs', { address: bob })
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    const tip = pending.devnet.chain.pending().hash
    expect(newsOf(told, flashblocks!)).toMatchObject([{ hash: tip }])
    expect(newsOf(told, transactions!)).toEqual([hash])
    expect(newsOf(told, whole)).toMatchObject([{ hash, status: '0x1', logs: [{ address: weth }] }])
    expect(newsOf(told, pendingLogs)).toMatchObject([{ transactionHash: hash, removed: false }])
    expect(newsOf(told, elsewhere)).toEqual([])
    expect([...newsOf(told, heads!), ...newsOf(told, logs)]).toEqual([])
    await pending.seal()
    while (newsOf(told, logs).length < 2) await sleep(2)
    expect(newsOf(told, heads!)).toMatchObject([{ hash: tip, number: '0x2' }])
    expect(newsOf(told, logs)).toEqual(await rpc(pending.nodeUrl, 'eth_getLogs', { ...ofWeth, blockHash: tip }))
    expect(newsOf(told, pendingLogs)).toHaveLength(1)
  })

  it('take logs back when a preconfirmation is broken, and end when asked to', async () => {
    await inTheMiddle()
    const told = listen()
    const id = await subscribe(told, 'pendingLogs')
    const hash = send(pending.devnet.chain, { from: 0, nonce: 2, ...deposit })
    await pending.step()
    pending.devnet.chain.contradictNext((transactions) => transactions.filter((each) => each.hash !== hash))
    await pending.seal()
    expect(newsOf(told, id).map(({ transactionHash, removed }) => [transactionHash, removed])).toEqual([
      [hash, false],
      [hash, true],
    ])
    const unsubscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params: [id] })
    for (const result of [true, false]) {
      expect(JSON.parse((await pending.rpc.answer(unsubscribe, told.connection)).text!)).toMatchObject({ result })
    }
  })

  it('take logs back in a reorg', async () => {
    await inTheMiddle()
    const told = listen()
    const id = await subscribe(told, 'logs')
    await pending.seal()
    while (newsOf(told, id).length < 1) await sleep(2)
    pending.devnet.chain.reorg(1)
    await pending.caughtUp()
    while (newsOf(told, id).length < 2) await sleep(2)
    expect(
      newsOf(told, id)
        .slice(0, 2)
        .map(({ removed }) => removed),
    ).toEqual([false, true])
  })

  it('have a limit on a connection', async () => {
    await inTheMiddle({ limits: { gasCap: 1n, callTimeoutMs: 1, maxSubscriptions: 1 } })
    const told = listen()
    expect(await subscribe(told, 'newHeads')).toMatch(/^0x/)
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
    expect(JSON.parse((await pending.rpc.answer(text, told.connection)).text!)).toMatchObject({
      error: { code: -32005 },
    })
  })
})

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
