// Bytecode prepared for the interpreter. Sources of state store and return this value, so that a contract is analysed once however many
// calls run it. It is analysed only as far as it is executed: most of init code is the contract to deploy, so constants are decoded when
// they are first pushed.
import { bytesToBigint, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'

export type Code = {
  readonly bytes: Uint8Array
  /** The bytes followed by STOPs, so that the interpreter need not check for the end. */
  readonly padded: Uint8Array
  /** Pushed words by the position of their first byte, filled in when they are first pushed. */
  readonly constants: (bigint | undefined)[]
  /** Marks the JUMPDESTs that are not inside a push; computed at the first jump. */
  jumpDestinations: Uint8Array | undefined
}

export function toCode(bytes: Uint8Array): Code {
  return bytes.length === 0 ? EMPTY_CODE : unanalysed(bytes)
}

export function jumpDestinationsOf(code: Code): Uint8Array {
  code.jumpDestinations ??= markJumpDestinations(code.bytes)
  return code.jumpDestinations
}

/** Decodes the `length` bytes at `position`. After the end of the code come zeros. */
export function decodeConstant(code: Code, position: number, length: number): bigint {
  const constant = bytesToBigint(code.padded, position, position + length)
  code.constants[position] = constant
  return constant
}

export function codeHashOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? EMPTY_CODE_HASH : bytesToBigint(keccak256(bytes))
}

export const EMPTY_CODE_HASH = bytesToBigint(keccak256(EMPTY_BYTES))

const LONGEST_PUSH = 32
const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

function unanalysed(bytes: Uint8Array): Code {
  const padded = new Uint8Array(bytes.length + LONGEST_PUSH + 1)
  padded.set(bytes)
  return { bytes, padded, constants: new Array(bytes.length + 1), jumpDestinations: undefined }
}

export const EMPTY_CODE = unanalysed(EMPTY_BYTES)

function markJumpDestinations(bytes: Uint8Array): Uint8Array {
  const marks = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at]!
    if (opcode === JUMPDEST) marks[at] = 1
    else if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1
  }
  return marks
}
