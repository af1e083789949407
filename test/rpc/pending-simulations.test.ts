// Simulations and traces on what is pending, and what the node says of the same once the block is sealed.
import { describe, expect, test } from 'vitest'
import { callOf } from '../../devnet/contracts/calldata.ts'
import { rpc } from '../support/devnet.ts'
import { alice, balanceOfAlice, bob, ETHER, startMiddleOfBlock, weth } from '../support/middle-of-block.ts'

describe('in the middle of a block', () => {
  test('JSON-RPC shows transfers of Ether among the logs of a simulation where it is asked to', async () => {
    const { pending } = await startMiddleOfBlock()
    const wrap = { from: alice, to: weth, gas: '0xffff', value: '0x5', data: callOf('WrappedEther', 'deposit') }
    const pay = { from: alice, to: bob, gas: '0xffff', value: '0x1' }
    const simulation = { blockStateCalls: [{ calls: [wrap, pay] }] }
    const logsOf = async (traceTransfers: boolean) => {
      const [block] = await pending.get('eth_simulateV1', { ...simulation, traceTransfers }, 'pending')
      expect(await rpc(pending.nodeUrl, 'eth_simulateV1', { ...simulation, traceTransfers }, 'pending')).toMatchObject([
        { calls: block.calls.map(({ logs }: { logs: object[] }) => ({ logs: logs.map(withoutBlockHash) })) },
      ])
      return block.calls.flatMap(({ logs }: { logs: { address: string; logIndex: string }[] }) =>
        logs.map(({ address, logIndex }) => [address, logIndex]),
      )
    }
    const ether = `0x${'ee'.repeat(20)}`
    expect(await logsOf(true)).toEqual([
      [ether, '0x0'],
      [weth, '0x1'],
      [ether, '0x2'],
    ])
    expect(await logsOf(false)).toEqual([[weth, '0x0']])
  })

  test('JSON-RPC simulates blocks on what is pending, and traces calls and preconfirmed transactions', async () => {
    const { pending, wrapped } = await startMiddleOfBlock()
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
    const call = await pending.get('debug_traceCall', balanceOfAlice, 'pending', { tracer: 'callTracer' })
    expect(BigInt(call.output)).toBe(ETHER)
    const unknown = { tracer: 'noSuchTracer' }
    expect((await pending.ask('debug_traceCall', balanceOfAlice, 'pending', unknown)).error?.message).toContain(
      'must be one of callTracer',
    )
    expect((await pending.get('debug_traceCall', balanceOfAlice, 'pending', {})).structLogs.length).toBeGreaterThan(9)
    const traces = await Promise.all(TRACERS.map((config) => pending.get('debug_traceTransaction', wrapped, config)))
    const block = await pending.get('debug_traceBlockByNumber', 'pending', { tracer: 'callTracer' })
    pending.devnet.chain.seal()
    const sealed = await Promise.all(
      TRACERS.map((config) => rpc(pending.nodeUrl, 'debug_traceTransaction', wrapped, config)),
    )
    expect(withoutHashes(traces)).toEqual(withoutHashes(sealed))
    const sealedBlock = await rpc(pending.nodeUrl, 'debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' })
    expect(block).toEqual(sealedBlock.slice(0, block.length))
    expect(block.map(({ txHash }: { txHash: string }) => txHash)).toContain(wrapped)
  })

  test('a simulated call that offers no tip gives none', async () => {
    const { pending } = await startMiddleOfBlock()
    const call = { from: alice, to: bob, maxFeePerGas: '0x77359400', gas: '0x5208' }
    const simulation = { blockStateCalls: [{ calls: [call] }], returnFullTransactions: true }
    const [block] = await pending.get('eth_simulateV1', simulation, 'pending')
    expect(block.transactions[0]).toMatchObject({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' })
  })

  test('JSON-RPC refuses a simulation of 300 blocks with the code and the words of geth', async () => {
    const { pending } = await startMiddleOfBlock()
    const simulation = { blockStateCalls: Array(300).fill({}) }
    expect((await pending.ask('eth_simulateV1', simulation, 'pending')).error).toEqual({
      code: -38026,
      message: 'too many blocks',
    })
  })
})

/** Our simulated blocks have no state root, so their hashes differ. */
function withoutBlockHash({ blockHash: _, ...log }: { blockHash?: string }) {
  return log
}

const TRACERS = [
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'flatCallTracer' },
  { tracer: 'flatCallTracer', tracerConfig: { includePrecompiles: true, convertParityErrors: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: 'prestateTracer', tracerConfig: { disableCode: true, disableStorage: true, includeEmpty: true } },
  { tracer: 'noopTracer' },
  {},
]

/** That of a flashblock is not that of the sealed block. */
function withoutHashes(traces: unknown): unknown {
  return JSON.parse(JSON.stringify(traces, (key, value) => (key === 'blockHash' ? undefined : value)))
}
