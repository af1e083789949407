// Random programs that mostly do something: expressions and statements with the operands they need, now and then an end of some kind.
import { bigintToBytes, bigintToMinimalBytes, concatBytes } from '../../../src/chain/bytes/hex.ts'
import type { Random } from './random.ts'

/** `targets` are addresses worth calling and looking at. */
export function randomProgram(random: Random, targets: readonly bigint[]): Uint8Array {
  const count = 3 + random.below(12)
  const statements = Array.from({ length: count }, () => statement(random, targets))
  return concatBytes(...statements, ending(random, targets))
}

/** Init code that puts `runtime` in place. */
export function deploying(runtime: Uint8Array): Uint8Array {
  const prefix = concatBytes(push(BigInt(runtime.length)), Uint8Array.of(0x80), push(PREFIX_LENGTH), push(0n))
  const padded = new Uint8Array(Number(PREFIX_LENGTH)).fill(0x5b)
  padded.set(concatBytes(prefix, Uint8Array.of(0x39), push(0n), Uint8Array.of(0xf3)))
  return concatBytes(padded, runtime)
}

const PREFIX_LENGTH = 24n

// Opcodes by what they take; all leave one word.
const NULLARY = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a,
]
const UNARY = [0x15, 0x19, 0x1e, 0x35, 0x49, 0x51, 0x54, 0x5c]
const OF_ADDRESS = [0x31, 0x3b, 0x3f]
const BINARY = [1, 2, 3, 4, 5, 6, 7, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d]
const TERNARY = [0x08, 0x09]

function expression(random: Random, targets: readonly bigint[], depth = 0): Uint8Array {
  const nested = () => expression(random, targets, depth + 1)
  const kind = depth > 2 ? 0 : random.below(12)
  if (kind < 4) return push(random.word())
  if (kind < 6) return Uint8Array.of(random.pick(NULLARY))
  if (kind === 6) return concatBytes(push(smallOffset(random)), Uint8Array.of(random.pick(UNARY)))
  if (kind === 7) return concatBytes(push(random.pick(targets)), Uint8Array.of(random.pick(OF_ADDRESS)))
  if (kind === 8) return concatBytes(push(BigInt(random.below(64))), push(smallOffset(random)), Uint8Array.of(0x20))
  if (kind === 9) return concatBytes(nested(), nested(), nested(), Uint8Array.of(random.pick(TERNARY)))
  if (kind === 10) return concatBytes(push(BigInt(random.below(300))), nested(), Uint8Array.of(0x0a))
  return concatBytes(nested(), nested(), Uint8Array.of(random.pick(BINARY)))
}

function statement(random: Random, targets: readonly bigint[]): Uint8Array {
  const value = () => expression(random, targets)
  const range = () => concatBytes(push(BigInt(random.below(96))), push(smallOffset(random)))
  const triple = () => concatBytes(push(BigInt(random.below(64))), push(smallOffset(random)), push(smallOffset(random)))
  switch (random.below(13)) {
    case 0:
    case 1:
      return concatBytes(value(), push(BigInt(random.below(6))), Uint8Array.of(0x55))
    case 2:
      return concatBytes(value(), push(smallOffset(random)), Uint8Array.of(random.pick([0x52, 0x53])))
    case 3:
      return concatBytes(value(), push(BigInt(random.below(4))), Uint8Array.of(0x5d))
    case 4: {
      const topics = random.below(5)
      return concatBytes(...Array.from({ length: topics }, value), range(), Uint8Array.of(0xa0 + topics))
    }
    case 5:
    case 6:
    case 7:
      return call(random, targets)
    case 8:
      return concatBytes(triple(), Uint8Array.of(random.pick([0x37, 0x39, 0x5e])))
    case 9:
      return concatBytes(push(BigInt(random.below(8))), push(0n), push(smallOffset(random)), Uint8Array.of(0x3e))
    case 10:
      return creation(random)
    case 11:
      return concatBytes(triple(), push(random.pick(targets)), Uint8Array.of(0x3c))
    default:
      return concatBytes(value(), Uint8Array.of(0x50))
  }
}

function call(random: Random, targets: readonly bigint[]): Uint8Array {
  const kind = random.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa])
  const ranges = concatBytes(
    ...[random.below(64), random.below(64), random.below(64), random.below(64)].map((size) => push(BigInt(size))),
  )
  const value = kind === 0xf1 || kind === 0xf2 ? push(random.chance(0.3) ? BigInt(random.below(9)) : 0n) : NOTHING
  const gas = random.chance(0.5) ? Uint8Array.of(0x5a) : push(BigInt(random.below(60_000)))
  return concatBytes(ranges, value, push(random.pick(targets)), gas, Uint8Array.of(kind, 0x50))
}

/** Copies a piece of the own code to memory and makes a contract of it, whatever it may be. */
function creation(random: Random): Uint8Array {
  const size = push(BigInt(random.below(64)))
  const copy = concatBytes(size, push(BigInt(random.below(40))), push(0n), Uint8Array.of(0x39))
  const value = push(random.chance(0.3) ? 1n : 0n)
  if (random.chance(0.5)) return concatBytes(copy, size, push(0n), value, Uint8Array.of(0xf0, 0x50))
  return concatBytes(copy, push(random.word()), size, push(0n), value, Uint8Array.of(0xf5, 0x50))
}

function ending(random: Random, targets: readonly bigint[]): Uint8Array {
  const range = concatBytes(push(BigInt(random.below(96))), push(smallOffset(random)))
  switch (random.below(10)) {
    case 0:
      return concatBytes(range, Uint8Array.of(0xfd))
    case 1:
      return Uint8Array.of(random.pick([0xfe, 0x0c, 0x01, 0x56]))
    case 2:
      return concatBytes(push(random.pick(targets)), Uint8Array.of(0xff))
    case 3:
      return Uint8Array.of(0x5b, 0x60, 0x00, 0x56)
    case 4:
    case 5:
      return Uint8Array.of(0x00)
    default:
      return concatBytes(range, Uint8Array.of(0xf3))
  }
}

const NOTHING = new Uint8Array(0)

function smallOffset(random: Random): bigint {
  return BigInt(random.chance(0.05) ? random.below(5000) : random.below(128))
}

function push(value: bigint): Uint8Array {
  const bytes = value >= 1n << 160n ? bigintToBytes(value, 32) : bigintToMinimalBytes(value)
  return concatBytes(Uint8Array.of(0x5f + bytes.length), bytes)
}
