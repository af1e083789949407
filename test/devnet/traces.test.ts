// Traces of a chain with traffic: whatever the form, they agree with the receipts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import type { RpcReceipt } from '../../src/chain/rpc/types.ts'
import type { CallTrace } from '../../src/evm/tracers/call-tracer.ts'
import { rpc, startLivelyDevnet } from '../support/devnet.ts'

const BLOCKS = 60
const TRACED_BLOCKS = 12

let devnet: Devnet
let numbers: string[]
beforeAll(async () => {
  devnet = await startLivelyDevnet({ tps: 60 })
  while (Number(await rpc(devnet.url, 'eth_blockNumber')) < BLOCKS) await new Promise((r) => setTimeout(r, 200))
  numbers = Array.from({ length: TRACED_BLOCKS }, (_, back) => `0x${(BLOCKS - back).toString(16)}`)
})
afterAll(() => devnet.stop())

type Traced = { readonly txHash: string; readonly result: CallTrace }

function trace(number: string, config: object): Promise<Traced[]> {
  return rpc(devnet.url, 'debug_traceBlockByNumber', number, config)
}

test('callTracer agrees with the receipts on gas, outcome and logs', async () => {
  let nested = 0
  for (const number of numbers) {
    const receipts: RpcReceipt[] = await rpc(devnet.url, 'eth_getBlockReceipts', number)
    const traces = await trace(number, { tracer: 'callTracer', tracerConfig: { withLog: true } })
    expect(traces.map(({ txHash }) => txHash)).toEqual(receipts.map(({ transactionHash }) => transactionHash))
    for (const [index, { result }] of traces.entries()) {
      const { gasUsed, status, logs } = receipts[index]!
      expect([result.gasUsed, result.error === undefined]).toEqual([gasUsed, status === '0x1'])
      const traced = logsOf(result).map(({ address, topics, data }) => ({ address, topics, data }))
      expect(traced).toEqual(logs.map(({ address, topics, data }) => ({ address, topics, data })))
      nested += callsOf(result).length - 1
    }
  }
  expect(nested).toBeGreaterThan(20)
})

test('trace_block has the same calls, in the order in which they began', async () => {
  for (const number of numbers) {
    const traces = await trace(number, { tracer: 'callTracer' })
    const flat = await rpc(devnet.url, 'trace_block', number)
    for (const { txHash, result } of traces) {
      const calls = callsOf(result).filter(({ to, value }) => !isPrecompile(to) || Number(value ?? 0) > 0)
      const ofTransaction = flat.filter(
        ({ transactionHash }: { transactionHash: string }) => transactionHash === txHash,
      )
      expect(
        ofTransaction.map(
          ({ action }: { action: { from?: string; address?: string } }) => action.from ?? action.address,
        ),
      ).toEqual(calls.map(({ from }) => from))
    }
  }
})

test('prestateTracer and the default tracer run every transaction to the same end', async () => {
  for (const number of numbers.slice(0, 3)) {
    const receipts: RpcReceipt[] = await rpc(devnet.url, 'eth_getBlockReceipts', number)
    const diffs = await rpc(devnet.url, 'debug_traceBlockByNumber', number, {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    })
    const steps = await rpc(devnet.url, 'debug_traceBlockByNumber', number, {
      disableStack: true,
      disableStorage: true,
    })
    for (const [index, { from, gasUsed, status }] of receipts.entries()) {
      const { pre, post } = diffs[index].result
      expect(post[from].nonce - (pre[from]?.nonce ?? 0)).toBeGreaterThan(0)
      expect([steps[index].result.gas, steps[index].result.failed]).toEqual([Number(gasUsed), status === '0x0'])
    }
  }
})

function callsOf(call: CallTrace): CallTrace[] {
  return [call, ...(call.calls ?? []).flatMap(callsOf)]
}

/** In the order in which they were written: a log's position says how many calls came before it. */
function logsOf({ logs = [], calls = [] }: CallTrace): NonNullable<CallTrace['logs']> {
  const before = (position: number) => logs.filter((log) => Number(log.position) === position)
  return [...calls.flatMap((call, index) => [...before(index), ...logsOf(call)]), ...before(calls.length)]
}

function isPrecompile(address: string | undefined) {
  return address !== undefined && BigInt(address) <= 0x100n
}
