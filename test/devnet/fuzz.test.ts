// Whatever a client sends, the devnet answers or says what is wrong: nothing makes it stumble.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers } from '../../devnet/genesis/accounts.ts'
import { methods } from '../../devnet/rpc/methods/table.ts'
import { ask, rpc, startStillDevnet } from '../support/devnet.ts'

let devnet: Devnet
const hashes: string[] = []
beforeAll(async () => {
  devnet = await startStillDevnet()
  for (let block = 0; block < 3; block++) {
    hashes.push(await rpc(devnet.url, 'eth_sendTransaction', { from: SENDER, to: WRAPPED_ETHER, data: '0xd0e30db0' }))
    hashes.push(await rpc(devnet.url, 'devnet_seal'))
  }
  await rpc(devnet.url, 'eth_sendTransaction', { from: SENDER, to: WRAPPED_ETHER, value: '0x1' })
  hashes.push(await rpc(devnet.url, 'devnet_step'))
})
afterAll(() => devnet.stop())

const SENDER = developers[0]!.address
const WRAPPED_ETHER = '0x4200000000000000000000000000000000000006'
const INTERNAL_ERROR = -32603
const RUNS_A_METHOD = 40

const address = fc.constantFrom(
  SENDER,
  WRAPPED_ETHER,
  '0x0000000000000000000000000000000000000001',
  `0x${'ff'.repeat(20)}`,
)
const quantity = fc.oneof(
  fc.constantFrom('0x0', '0x1', '0x2', '0x3', '0x5208', '0xffffff', '0xffffffffffff', `0x${'f'.repeat(64)}`),
  fc.nat(100_000).map((value) => `0x${value.toString(16)}`),
)
const data = fc.uint8Array({ maxLength: 80 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const word = fc.oneof(
  fc.nat(5).map((value) => `0x${value.toString(16).padStart(64, '0')}`),
  fc.nat(6).map((index) => hashes[index] ?? '0x'),
)
const block = fc.oneof(
  fc.constantFrom('latest', 'pending', 'earliest', 'safe', 'finalized'),
  quantity,
  word,
  fc.record({ blockHash: word }),
)
const call = fc.record(
  {
    from: address,
    to: address,
    gas: quantity,
    gasPrice: quantity,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    value: quantity,
    nonce: quantity,
    data,
    accessList: fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 2 }) }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const overrides = fc.dictionary(
  address,
  fc.record(
    {
      balance: quantity,
      nonce: quantity,
      code: data,
      state: fc.dictionary(word, word, { maxKeys: 2 }),
      stateDiff: fc.dictionary(word, word, { maxKeys: 2 }),
      movePrecompileToAddress: address,
    },
    { requiredKeys: [] },
  ),
  { maxKeys: 2 },
)
const blockOverrides = fc.record(
  {
    number: quantity,
    time: quantity,
    gasLimit: quantity,
    feeRecipient: address,
    prevRandao: word,
    baseFeePerGas: quantity,
  },
  { requiredKeys: [] },
)
const simulation = fc.record({
  blockStateCalls: fc.array(
    fc.record(
      { calls: fc.array(call, { maxLength: 3 }), stateOverrides: overrides, blockOverrides },
      { requiredKeys: [] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  validation: fc.boolean(),
  traceTransfers: fc.boolean(),
  returnFullTransactions: fc.boolean(),
})
const filter = fc.record(
  { fromBlock: block, toBlock: block, blockHash: word, address, topics: fc.array(fc.option(word), { maxLength: 4 }) },
  { requiredKeys: [] },
)
const tracer = fc.record(
  {
    tracer: fc.constantFrom('callTracer', 'prestateTracer', 'flatCallTracer', 'noopTracer'),
    tracerConfig: fc.record({ diffMode: fc.boolean(), withLog: fc.boolean(), onlyTopCall: fc.boolean() }),
    stateOverrides: overrides,
    limit: fc.nat(10),
  },
  { requiredKeys: [] },
)
const anything = fc.jsonValue({ maxDepth: 2 })
const parameter = fc.oneof(
  address,
  quantity,
  data,
  word,
  block,
  call,
  overrides,
  blockOverrides,
  simulation,
  filter,
  tracer,
  fc.boolean(),
  fc.array(fc.oneof(word, quantity), { maxLength: 3 }),
  anything,
)

/** What a method wants, more or less: chance alone would hardly ever come past the first parameter. */
const usual: Readonly<Record<string, fc.Arbitrary<unknown>[]>> = {
  eth_call: [call, block, overrides, blockOverrides],
  eth_estimateGas: [call, block, overrides, blockOverrides],
  eth_createAccessList: [call, block, overrides],
  eth_simulateV1: [simulation, block],
  eth_sendTransaction: [call],
  eth_getProof: [address, fc.array(word), block],
  eth_getLogs: [filter],
  eth_newFilter: [filter],
  eth_feeHistory: [quantity, block, fc.constant([10, 50])],
  debug_traceCall: [call, block, tracer],
  debug_traceTransaction: [word, tracer],
  debug_traceBlockByNumber: [block, tracer],
  debug_traceBlockByHash: [word, tracer],
  devnet_deposit: [fc.record({ from: address, to: address, mint: quantity, value: quantity, gas: quantity, data })],
}

test.each(Object.keys(methods))('the method %s of the devnet never fails with an internal error', async (method) => {
  const chance = fc.array(parameter, { maxLength: 4 })
  const params = usual[method] ? fc.oneof(fc.tuple(...usual[method]), chance) : chance
  await fc.assert(
    fc.asyncProperty(params, async (values) => {
      const { error } = await ask(devnet.url, method, ...values)
      expect(error?.code, `${method} ${JSON.stringify(values)}`).not.toBe(INTERNAL_ERROR)
    }),
    { numRuns: RUNS_A_METHOD },
  )
})
