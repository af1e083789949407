// What the views of a recorded transaction show. `call-tracer.test.ts` holds them against geth, the differential test against anvil.
import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER, executed, SENDER, transactionOf } from '../../../test/support/evm.ts'
import { addressToHex, wordToHex } from '../../chain/bytes/hex.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { executeTransaction } from '../transaction/transaction.ts'
import { CallRecorder } from './call-recorder.ts'
import { toCallTrace } from './call-tracer.ts'
import { toParityTraces } from './parity-trace.ts'
import { tracePrestate, tracePrestateDiff } from './prestate-tracer.ts'

const [OUTER, INNER] = [0xa1n, 0xa2n]
const CALL_INNER = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0xa2 GAS CALL POP'
const LOG = 'PUSH0 PUSH0 LOG0'

function stateWith(outer: string, inner: string) {
  return new MemoryState([
    [SENDER, { balance: ETHER }],
    [OUTER, { nonce: 1n, code: assemble(outer), storage: [[0n, 1n]] }],
    [INNER, { nonce: 1n, code: assemble(inner) }],
  ])
}

function record(outer: string, inner: string) {
  const tracer = new CallRecorder()
  const world = new WorldState(stateWith(outer, inner))
  const transaction = transactionOf({ to: OUTER })
  const { gasUsed } = executed(executeTransaction(world, blockOf('prague'), transaction, { tracer }))
  return { root: tracer.root!, gas: { gasLimit: transaction.transaction.gasLimit, gasUsed } }
}

describe('a call trace', () => {
  test('a call trace shows logs where they stood among the calls', () => {
    const { root, gas } = record(`${LOG} ${CALL_INNER} ${LOG}`, LOG)
    const trace = toCallTrace(root, gas, { withLog: true })
    expect(trace.logs?.map(({ position }) => position)).toEqual(['0x0', '0x1'])
    expect(trace.calls?.[0]?.logs).toHaveLength(1)
    expect(toCallTrace(root, gas)).not.toHaveProperty('logs')
  })

  test('a call trace drops the logs of a call that failed and of all it called', () => {
    const { root, gas } = record(`${CALL_INNER} PUSH0 PUSH0 REVERT`, LOG)
    const trace = toCallTrace(root, gas, { withLog: true })
    expect(trace.error).toBe('execution reverted')
    expect(trace.calls?.[0]).not.toHaveProperty('logs')
  })
})

describe('a Parity trace', () => {
  test('a Parity trace lists calls in the order they began, with paths and counts', () => {
    const traces = toParityTraces(record(`${CALL_INNER} ${CALL_INNER}`, 'PUSH1 0xdd SELFDESTRUCT').root)
    expect(traces.map(({ type, subtraces, traceAddress }) => [type, subtraces, ...traceAddress])).toEqual([
      ['call', 2],
      ['call', 1, 0],
      ['suicide', 0, 0, 0],
      ['call', 1, 1],
      ['suicide', 0, 1, 0],
    ])
  })

  test('a Parity trace shows precompiles only when asked', () => {
    const { root } = record('PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0x04 GAS STATICCALL', 'STOP')
    expect(toParityTraces(root)).toHaveLength(1)
    expect(toParityTraces(root, { includePrecompiles: true })).toHaveLength(2)
  })

  test('a Parity trace names a failure as Parity does', () => {
    const traces = toParityTraces(record(CALL_INNER, 'PUSH0 JUMP').root)
    expect(traces[1]).toMatchObject({ error: 'Bad jump destination', result: null })
  })
})

describe('a prestate trace', () => {
  const run = (world: WorldState) => {
    executed(executeTransaction(world, blockOf('prague'), transactionOf({ to: OUTER })))
  }
  const source = stateWith(`PUSH0 SLOAD PUSH1 0x07 PUSH1 0x01 SSTORE ${CALL_INNER}`, 'STOP')

  test('a prestate trace shows what was looked at, as it was', () => {
    const prestate = tracePrestate(source, run)
    expect(Object.keys(prestate).sort()).toEqual([SENDER, OUTER, INNER].map(addressToHex).sort())
    expect(prestate[addressToHex(SENDER)]?.balance).toBe('0xde0b6b3a7640000')
    expect(prestate[addressToHex(OUTER)]?.storage).toEqual({
      [wordToHex(0n)]: wordToHex(1n),
      [wordToHex(1n)]: wordToHex(0n),
    })
  })

  test('a prestate trace shows in diff mode what changed, before and after', () => {
    const { pre, post } = tracePrestateDiff(source, run)
    expect(pre[addressToHex(OUTER)]?.storage).toEqual({ [wordToHex(1n)]: wordToHex(0n) })
    expect(post[addressToHex(OUTER)]).toEqual({ storage: { [wordToHex(1n)]: wordToHex(7n) } })
    expect(post[addressToHex(SENDER)]).toMatchObject({ nonce: 1 })
    expect(pre).not.toHaveProperty(addressToHex(INNER))
  })
})
