// EIP-7702: the code of an account that delegates to another is a designator: 0xef0100 and the address of the other.
import { bigintToBytes, bytesToBigint } from '../../chain/bytes/hex.ts'
import type { Code } from './code.ts'

export function delegateOf(code: Code): bigint | null {
  const { bytes } = code
  if (bytes.length !== DESIGNATOR_LENGTH || bytes[0] !== 0xef || bytes[1] !== 0x01 || bytes[2] !== 0x00) return null
  return bytesToBigint(bytes, PREFIX_LENGTH)
}

export function delegationTo(address: bigint): Uint8Array {
  const designator = new Uint8Array(DESIGNATOR_LENGTH)
  designator.set([0xef, 0x01, 0x00])
  designator.set(bigintToBytes(address, 20), PREFIX_LENGTH)
  return designator
}

const PREFIX_LENGTH = 3
const DESIGNATOR_LENGTH = PREFIX_LENGTH + 20
