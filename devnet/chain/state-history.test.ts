import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeHashOf, toCode } from '../../src/evm/state/code.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import type { StateChanges } from '../../src/evm/state/state-source.ts'
import { NO_PROGRAMS } from '../genesis/own-rules.ts'
import { addChanges, decodeChanges, encodeChanges, noChanges } from './changes.ts'
import { StateHistory } from './state-history.ts'

const ADDRESSES = [1n, 2n, 0xffffffffffffffffffffffffffffffffffffffffn]
const SLOTS = [0n, 1n, (1n << 256n) - 1n]

const account = fc.record({
  nonce: fc.bigInt(0n, 9n),
  balance: fc.bigInt(0n, 1n << 255n),
  codeHash: fc.bigInt(0n, (1n << 256n) - 1n),
})
const address = fc.constantFrom(...ADDRESSES)
const changes: fc.Arbitrary<StateChanges> = fc.record({
  accounts: fc.array(fc.tuple(address, fc.option(account))).map((entries) => new Map(entries)),
  wiped: fc.array(address, { maxLength: 1 }).map((addresses) => new Set(addresses)),
  slots: fc
    .array(
      fc.tuple(
        address,
        fc
          .array(fc.tuple(fc.constantFrom(...SLOTS), fc.bigInt(0n, 3n)), { minLength: 1 })
          .map((slots) => new Map(slots)),
      ),
    )
    .map((entries) => new Map(entries)),
  codes: fc
    .array(fc.uint8Array({ minLength: 1, maxLength: 5 }))
    .map((codes) => new Map(codes.map((code) => [codeHashOf(code), toCode(code)]))),
})

/** Everything that can be asked. */
function describeState(state: { account(a: bigint): unknown; storage(a: bigint, s: bigint): unknown }) {
  return ADDRESSES.map((each) => [state.account(each), SLOTS.map((slot) => state.storage(each, slot))])
}

describe('the history of states', () => {
  test('the history of states has every state as it was, and gets back to it', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 8 }), fc.nat(), (steps, back) => {
        const history = new StateHistory({
          latest: new MemoryState(),
          head: 0,
          hashOf: () => null,
          programs: NO_PROGRAMS,
          maxBlocks: 256,
        })
        const described = [describeState(history.latest)]
        for (const step of steps) {
          history.append(step)
          described.push(describeState(history.latest))
        }
        for (const [number, expected] of described.entries()) {
          expect(describeState(history.at(number)!)).toEqual(expected)
        }
        const number = back % described.length
        history.rewind(number, history.changesBackTo(number))
        expect(describeState(history.latest)).toEqual(described[number])
        for (let older = 0; older <= number; older++) {
          expect(describeState(history.at(older)!)).toEqual(described[older])
        }
        expect(history.at(number + 1)).toBeNull()
      }),
    )
  })
})

describe('changes', () => {
  test('changes come back from their bytes', () => {
    fc.assert(
      fc.property(changes, (some) => {
        expect(decodeChanges(encodeChanges(some))).toEqual(some)
      }),
    )
  })

  test('changes add up to what they do one after the other', () => {
    fc.assert(
      fc.property(changes, fc.array(changes, { maxLength: 4 }), (before, steps) => {
        const [stepwise, atOnce] = [new MemoryState(), new MemoryState()]
        for (const state of [stepwise, atOnce]) state.apply(before)
        const sum = noChanges()
        for (const step of steps) {
          stepwise.apply(step)
          addChanges(sum, step)
        }
        atOnce.apply(sum)
        expect(describeState(atOnce)).toEqual(describeState(stepwise))
        // Applying them twice does no harm.
        atOnce.apply(sum)
        expect(describeState(atOnce)).toEqual(describeState(stepwise))
      }),
    )
  })
})
