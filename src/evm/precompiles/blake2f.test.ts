import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import { blake2f } from './blake2f.ts'

// BLAKE2b-512 of a message of one block is one compression of the initial state, with 12 rounds.
const INITIAL_STATE = hexToBytes(
  '0x48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
)

function callFor(message: Uint8Array, { rounds = 12, finalFlag = 1 } = {}): Uint8Array {
  const block = new Uint8Array(128)
  block.set(message)
  const counter = new Uint8Array(16)
  counter[0] = message.length
  const roundBytes = new Uint8Array(4)
  new DataView(roundBytes.buffer).setUint32(0, rounds)
  return concatBytes(roundBytes, INITIAL_STATE, block, counter, Uint8Array.of(finalFlag))
}

const abc = new TextEncoder().encode('abc')

function outputOf(input: Uint8Array) {
  const result = blake2f(input, 100_000)
  return result.ok && bytesToHex(result.output)
}

test('BLAKE2F hashes any message of one block as BLAKE2b does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 128 }), (message) => {
      expect(outputOf(callFor(message))).toBe(bytesToHex(createHash('blake2b512').update(message).digest()))
    }),
  )
})

test('BLAKE2F goes by the number of rounds and the final flag (EIP-152, vectors 4, 6 and 7)', () => {
  expect(outputOf(callFor(abc, { rounds: 0 }))).toBe(
    '0x08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
  )
  expect(outputOf(callFor(abc, { finalFlag: 0 }))).toBe(
    '0x75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
  )
  expect(outputOf(callFor(abc, { rounds: 1 }))).toBe(
    '0xb63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
  )
})

test('BLAKE2F repeats its ten orders beyond ten rounds', () => {
  expect(outputOf(callFor(abc, { rounds: 25 }))).not.toBe(outputOf(callFor(abc, { rounds: 15 })))
})

test('BLAKE2F costs one gas a round', () => {
  expect(blake2f(callFor(abc, { rounds: 12 }), 12)).toMatchObject({ ok: true, gasUsed: 12 })
  expect(blake2f(callFor(abc, { rounds: 12 }), 11)).toMatchObject({ ok: false })
  expect(blake2f(callFor(abc, { rounds: 0xffffffff }), 2 ** 31)).toMatchObject({ ok: false })
})

test('BLAKE2F fails on another length and on a flag that is neither 0 nor 1', () => {
  const input = callFor(abc)
  expect(blake2f(input.subarray(1), 1000)).toMatchObject({ ok: false })
  expect(blake2f(concatBytes(input, Uint8Array.of(0)), 1000)).toMatchObject({ ok: false })
  expect(blake2f(callFor(abc, { finalFlag: 2 }), 1000)).toMatchObject({ ok: false })
})

test('BLAKE2F reads an input that lies inside a larger buffer', () => {
  const inside = concatBytes(new Uint8Array(5), callFor(abc)).subarray(5)
  expect(outputOf(inside)).toBe(outputOf(callFor(abc)))
})
