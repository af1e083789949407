// What geth's prestateTracer shows. `npm run judge:op-geth` compares with op-geth itself.
import { expect, test } from 'vitest'
import { assemble } from '../../../test/support/assemble.ts'
import { blockOf, ETHER, executed, SENDER, transactionOf } from '../../../test/support/evm.ts'
import { addressToHex, wordToHex } from '../../chain/bytes/hex.ts'
import { createAddress } from '../../chain/rules/create-address.ts'
import { MemoryState } from '../state/memory-state.ts'
import { WorldState } from '../state/world-state.ts'
import { executeTransaction } from '../transaction/transaction.ts'
import { PrestateTracer, type PrestateTracerConfig } from './prestate-tracer.ts'
import type { Prestate, PrestateDiff } from './prestate-view.ts'

const [OUTER, INNER, NOBODY] = [0xa1n, 0xa2n, 0xa3n]
const CALL_INNER = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0xa2 GAS CALL POP'
const [outer, inner, sender] = [OUTER, INNER, SENDER].map(addressToHex) as [`0x${string}`, `0x${string}`, `0x${string}`]

function trace(code: string, config: PrestateTracerConfig = {}, gasLimit?: bigint, innerCode = 'STOP') {
  const world = new WorldState(
    new MemoryState([
      [SENDER, { balance: ETHER }],
      [OUTER, { nonce: 1n, code: assemble(code), storage: [[0n, 1n]] }],
      [INNER, { nonce: 1n, code: assemble(innerCode) }],
    ]),
  )
  const block = blockOf('prague')
  const recovered = transactionOf({ to: OUTER, ...(gasLimit === undefined ? {} : { gasLimit }) })
  const tracer = new PrestateTracer(world, block, config, { from: SENDER, to: OUTER, authorizations: [] })
  executed(executeTransaction(world, block, recovered, { tracer }))
  return tracer.result()
}

const before = (...args: Parameters<typeof trace>) => trace(...args) as Prestate
const diff = (code: string) => trace(code, { diffMode: true }) as PrestateDiff

test('a prestate trace shows the accounts and slots that were named, as they were', () => {
  const prestate = before(`PUSH0 SLOAD PUSH1 0x07 PUSH1 0x01 SSTORE ${CALL_INNER}`)
  expect(Object.keys(prestate).sort()).toEqual([sender, outer, inner].sort())
  expect(prestate[sender]?.balance).toBe('0xde0b6b3a7640000')
  expect(prestate[outer]?.storage).toEqual({ [wordToHex(0n)]: wordToHex(1n), [wordToHex(1n)]: wordToHex(0n) })
  expect(prestate[outer]?.nonce).toBe(1)
})

test('a prestate trace shows accounts that do not exist only with includeEmpty', () => {
  const nobody = addressToHex(NOBODY)
  const code = 'PUSH1 0xa3 BALANCE'
  expect(before(code)).not.toHaveProperty(nobody)
  expect(before(code, { includeEmpty: true })[nobody]).toEqual({ balance: '0x0' })
})

test('a prestate trace leaves out code and storage when asked, but shows the hash of the code', () => {
  const account = before('PUSH0 SLOAD', { disableCode: true, disableStorage: true })[outer]
  expect(account).not.toHaveProperty('code')
  expect(account).not.toHaveProperty('storage')
  expect(account?.codeHash).toMatch(/^0x[0-9a-f]{64}$/)
})

test('a prestate trace in diff mode shows what changed, and no slot that was or became zero', () => {
  const { pre, post } = diff(`PUSH0 PUSH0 SSTORE PUSH1 0x07 PUSH1 0x01 SSTORE ${CALL_INNER}`)
  expect(pre[outer]?.storage).toEqual({ [wordToHex(0n)]: wordToHex(1n) })
  expect(post[outer]).toEqual({ storage: { [wordToHex(1n)]: wordToHex(7n) } })
  expect(post[sender]).toMatchObject({ nonce: 1 })
  expect(pre).not.toHaveProperty(inner)
  expect(post).not.toHaveProperty(inner)
})

test('a prestate trace in diff mode shows a contract that was created, in post only', () => {
  const { pre, post } = diff('PUSH0 PUSH0 PUSH0 CREATE')
  const created = addressToHex(createAddress(OUTER, 1n))
  expect(post[created]).toEqual({ nonce: 1 })
  expect(pre).not.toHaveProperty(created)
})

test('a prestate trace does not show what an operation named whose gas could not be paid', () => {
  expect(before('PUSH0 SLOAD', {}, 21_100n)[outer]).not.toHaveProperty('storage')
})

test('a prestate trace shows the account of a creation that a static call forbids, since its gas was paid', () => {
  const staticCall = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH1 0xa2 GAS STATICCALL'
  const prestate = before(staticCall, { includeEmpty: true }, undefined, 'PUSH0 PUSH0 PUSH0 CREATE')
  expect(prestate[addressToHex(createAddress(INNER, 1n))]).toEqual({ balance: '0x0' })
})
