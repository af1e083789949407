// The text of revert data: Solidity's `Error(string)` and `Panic(uint256)`.
import { bytesToBigint, toQuantity } from '../bytes/hex.ts'

/** Null if the data is neither, or is truncated. */
export function revertReason(output: Uint8Array): string | null {
  if (output.length < 4) return null
  switch (bytesToBigint(output, 0, 4)) {
    case ERROR_SELECTOR:
      return stringAt(output.subarray(4))
    case PANIC_SELECTOR:
      return output.length < 36 ? null : panicReason(bytesToBigint(output, 4, 36))
    default:
      return null
  }
}

const ERROR_SELECTOR = 0x08c379a0n
const PANIC_SELECTOR = 0x4e487b71n

const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

function panicReason(code: bigint): string {
  return PANICS.get(code) ?? `unknown panic code: ${toQuantity(code)}`
}

function stringAt(encoded: Uint8Array): string | null {
  const at = Number(bytesToBigint(encoded, 0, 32))
  if (at + 32 > encoded.length) return null
  const length = Number(bytesToBigint(encoded, at, at + 32))
  if (at + 32 + length > encoded.length) return null
  return new TextDecoder().decode(encoded.subarray(at + 32, at + 32 + length))
}
