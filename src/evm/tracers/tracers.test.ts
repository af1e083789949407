// What the views of a recorded transaction show. `call-tracer.test.ts` holds them against geth, the differential test against anvil.
import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER, executed, SENDER, transactionOf } from '../../../test/support/evm.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { executeTransaction } from '../transaction/transaction.ts'
import { CallRecorder } from './call-recorder.ts'
import { toCallTrace } from './call-tracer.ts'
import { toFlatCalls } from './flat-call-tracer.ts'
import { toParityTraces } from './parity-trace.ts'

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
    expect(trace.logs?.map(({ index }) => index)).toEqual(['0x0', '0x2'])
    expect(trace.calls?.[0]?.logs).toHaveLength(1)
    expect(toCallTrace(root, gas)).not.toHaveProperty('logs')
  })

  test('a call trace numbers logs by their place in the block, and does not count those of a failed call', () => {
    const { root, gas } = record(`${CALL_INNER} ${LOG}`, `${LOG} PUSH0 PUSH0 REVERT`)
    expect(toCallTrace(root, gas, { withLog: true, firstLogIndex: 7 }).logs).toMatchObject([{ index: '0x7' }])
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

describe('a flat call trace', () => {
  const PRECOMPILE = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0x01 PUSH1 0x04 GAS CALL POP'
  const location = {
    blockHash: '0xaa',
    blockNumber: 5,
    transactionHash: '0xbb',
    transactionPosition: 3,
  } as const
  const flatten = (outer: string, inner: string, config = {}) => {
    const { root, gas } = record(outer, inner)
    return toFlatCalls(root, gas, { config, location })
  }

  test('a flat call trace shows the gas of the whole transaction and where it is', () => {
    const [outermost] = flatten('STOP', 'STOP')
    expect(outermost).toMatchObject({
      ...location,
      type: 'call',
      subtraces: 0,
      traceAddress: [],
      result: { gasUsed: '0x5208' },
    })
    const { root, gas } = record('STOP', 'STOP')
    expect(toFlatCalls(root, gas, { config: {}, location: null })[0]).toMatchObject({
      blockHash: null,
      blockNumber: 0,
      transactionHash: null,
      transactionPosition: 0,
    })
  })

  test('a flat call trace leaves out calls of precompiles, with value too, unless they are asked for', () => {
    expect(flatten(PRECOMPILE, 'STOP')).toHaveLength(1)
    expect(flatten(PRECOMPILE, 'STOP', { includePrecompiles: true })).toHaveLength(2)
  })

  test('a flat call trace has the errors of geth, or those of Parity when asked', () => {
    const [, failed] = flatten(CALL_INNER, 'PUSH0 JUMP')
    expect(failed).toMatchObject({ error: 'invalid jump destination' })
    expect(failed).not.toHaveProperty('result')
    expect(flatten(CALL_INNER, 'PUSH0 JUMP', { convertParityErrors: true })[1]).toMatchObject({
      error: 'Bad jump destination',
    })
    expect(flatten(CALL_INNER, 'PUSH0 PUSH0 REVERT')[1]).toMatchObject({
      error: 'execution reverted',
      result: { output: '0x' },
    })
  })

  test('a flat call trace has no result for a contract that destroys itself', () => {
    const [, , destroyed] = flatten(CALL_INNER, 'PUSH1 0xdd SELFDESTRUCT')
    expect(destroyed).toMatchObject({ type: 'suicide', traceAddress: [0, 0] })
    expect(destroyed).not.toHaveProperty('result')
  })
})
