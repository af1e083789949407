// 0x09 (EIP-152): the compression function of BLAKE2b with a given number of rounds. A 64-bit word is two entries of an Int32Array, low
// half first. They are signed, so that V8 computes every sum and shift with machine integers: callers pay one gas per round.
import { priced } from './precompile.ts'

export const blake2f = priced({
  cost: (input) => (input.length === INPUT_LENGTH ? viewOf(input).getUint32(0) : 0),
  run(input) {
    if (input.length !== INPUT_LENGTH) return 'invalid input length'
    return input[FINAL_FLAG_OFFSET]! > 1 ? 'invalid final flag' : compress(viewOf(input))
  },
})

const INPUT_LENGTH = 213
const STATE_OFFSET = 4
const MESSAGE_OFFSET = 68
const COUNTER_OFFSET = 196
const FINAL_FLAG_OFFSET = 212

function viewOf(input: Uint8Array) {
  return new DataView(input.buffer, input.byteOffset, input.length)
}

// Scratch space of one call: the working vector and the message, sixteen words each.
const v = new Int32Array(32)
const m = new Int32Array(32)

function compress(input: DataView): Uint8Array {
  for (let i = 0; i < 16; i++) v[i] = input.getInt32(STATE_OFFSET + 4 * i, true)
  v.set(IV, 16)
  for (let i = 0; i < 4; i++) v[24 + i]! ^= input.getInt32(COUNTER_OFFSET + 4 * i, true)
  if (input.getUint8(FINAL_FLAG_OFFSET) === 1) {
    v[28] = ~v[28]!
    v[29] = ~v[29]!
  }
  for (let i = 0; i < 32; i++) m[i] = input.getInt32(MESSAGE_OFFSET + 4 * i, true)

  const rounds = input.getUint32(0)
  for (let round = 0; round < rounds; round++) mixRound(SIGMA[round % SIGMA.length]!)

  const output = new Uint8Array(64)
  const outputView = viewOf(output)
  for (let i = 0; i < 16; i++) {
    outputView.setInt32(4 * i, input.getInt32(STATE_OFFSET + 4 * i, true) ^ v[i]! ^ v[i + 16]!, true)
  }
  return output
}

function mixRound(order: readonly number[]): void {
  for (let i = 0; i < 8; i++) mix(COLUMNS_AND_DIAGONALS[i]!, order[2 * i]!, order[2 * i + 1]!)
}

/** The function G of RFC 7693 on four words of `v` and two of `m`, given by the indices of their low halves. */
function mix(words: readonly number[], x: number, y: number): void {
  const [a, b, c, d] = [words[0]!, words[1]!, words[2]!, words[3]!]
  addWithMessage(a, b, x)
  xorAndRotate32(d, a)
  add(c, d)
  xorAndRotate(b, c, 24)
  addWithMessage(a, b, y)
  xorAndRotate(d, a, 16)
  add(c, d)
  xorAndRotate63(b, c)
}

/** v[a] += v[b] */
function add(a: number, b: number): void {
  const low = (v[a]! + v[b]!) | 0
  v[a + 1]! += v[b + 1]! + carryOf(v[a]!, v[b]!, low)
  v[a] = low
}

/** v[a] += v[b] + m[x] */
function addWithMessage(a: number, b: number, x: number): void {
  const sum = (v[a]! + v[b]!) | 0
  const low = (sum + m[x]!) | 0
  v[a + 1]! += v[b + 1]! + m[x + 1]! + carryOf(v[a]!, v[b]!, sum) + carryOf(sum, m[x]!, low)
  v[a] = low
}

/** The bit that a + b loses beyond 32: set where both have the top bit, or where one has it and the sum has not. */
function carryOf(a: number, b: number, sum: number): number {
  return ((a & b) | ((a | b) & ~sum)) >>> 31
}

/** v[a] = (v[a] ^ v[b]) >>> bits, where bits is below 32. */
function xorAndRotate(a: number, b: number, bits: number): void {
  const low = v[a]! ^ v[b]!
  const high = v[a + 1]! ^ v[b + 1]!
  v[a] = (low >>> bits) | (high << (32 - bits))
  v[a + 1] = (high >>> bits) | (low << (32 - bits))
}

function xorAndRotate32(a: number, b: number): void {
  const low = v[a]! ^ v[b]!
  v[a] = v[a + 1]! ^ v[b + 1]!
  v[a + 1] = low
}

function xorAndRotate63(a: number, b: number): void {
  const low = v[a]! ^ v[b]!
  const high = v[a + 1]! ^ v[b + 1]!
  v[a] = (low << 1) | (high >>> 31)
  v[a + 1] = (high << 1) | (low >>> 31)
}

function toLowHalves(words: readonly number[]): readonly number[] {
  return words.map((word) => 2 * word)
}

const COLUMNS_AND_DIAGONALS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
].map(toLowHalves)

// RFC 7693, section 2.7.
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
].map(toLowHalves)

// RFC 7693, section 2.6: low and high halves of the eight words.
const IV = Int32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
)
