import { describe, expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER, executed, SENDER, transactionOf } from '../../../test/support/evm.ts'
import { bytesToBigint } from '../../chain/bytes/hex.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { executeTransaction } from '../transaction/transaction.ts'
import { TransferLogger } from './transfer-logger.ts'

const [OUTER, INNER] = [0xa1n, 0xa2n]
const LOG = 'PUSH0 PUSH0 LOG0'
function sendToInner(wei: number) {
  return `PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 ${hexOf(wei)} PUSH1 0xa2 GAS CALL POP`
}
/** With init code that ends in `opcode`. */
function create(opcode: number, wei: number) {
  return `PUSH1 ${hexOf(opcode)} PUSH0 MSTORE8 PUSH1 0x01 PUSH0 PUSH1 ${hexOf(wei)} CREATE POP`
}
function hexOf(value: number) {
  return `0x${value.toString(16).padStart(2, '0')}`
}
const [STOP, INVALID] = [0x00, 0xfe]

/** In short: `log`, or from, to and wei of a transfer. */
function logsOf(outer: string, { inner = 'STOP', value = 0n }: { inner?: string; value?: bigint } = {}) {
  const state = new MemoryState([
    [SENDER, { balance: ETHER }],
    [OUTER, { nonce: 1n, balance: 1_000n, code: assemble(outer) }],
    [INNER, { nonce: 1n, code: assemble(inner) }],
  ])
  const tracer = new TransferLogger()
  const transaction = transactionOf({ to: OUTER, value })
  executed(executeTransaction(new WorldState(state), blockOf('prague'), transaction, { tracer }))
  return tracer.logs.map(({ address, topics, data }) =>
    address === 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeen ? [topics[1], topics[2], bytesToBigint(data)] : 'log',
  )
}

describe('logs of transfers', () => {
  test('logs of transfers stand among the others, where the transfer happened', () => {
    expect(logsOf(`${LOG} ${sendToInner(5)} ${LOG}`, { inner: LOG, value: 3n })).toEqual([
      [SENDER, OUTER, 3n],
      'log',
      [OUTER, INNER, 5n],
      'log',
      'log',
    ])
  })

  test('logs of transfers go with the call that failed, and with all that it called', () => {
    expect(logsOf(`${sendToInner(5)} ${LOG}`, { inner: `${LOG} PUSH0 PUSH0 REVERT` })).toEqual(['log'])
    expect(logsOf(`${sendToInner(5)} PUSH0 PUSH0 REVERT`, { value: 3n })).toEqual([])
  })

  test('logs of transfers are of creations too, unless they fail', () => {
    expect(logsOf(create(STOP, 7))).toEqual([[OUTER, expect.any(BigInt), 7n]])
    expect(logsOf(create(INVALID, 7))).toEqual([])
  })

  test('logs of transfers are not of calls that nobody can pay', () => {
    expect(logsOf(sendToInner(5).replace('PUSH1 0x05', 'PUSH2 0xffff'))).toEqual([])
  })

  test('logs of transfers are of what a contract leaves behind, but not of calls that only borrow code', () => {
    expect(logsOf('PUSH1 0xdd SELFDESTRUCT')).toEqual([[OUTER, 0xddn, 1_000n]])
    const borrow = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0x05 PUSH1 0xa2 GAS CALLCODE POP'
    expect(logsOf(`${borrow} PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0xa2 GAS DELEGATECALL`, { value: 3n })).toEqual([
      [SENDER, OUTER, 3n],
    ])
  })
})
