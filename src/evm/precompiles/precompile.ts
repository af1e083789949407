// The interface of a precompile: input and gas limit in, output and gas used out. A failure uses all the gas; its text is that of geth,
// which clients compare.
import { hexToBytes } from '../../chain/bytes/hex.ts'

export type PrecompileResult =
  | { readonly ok: true; readonly gasUsed: number; readonly output: Uint8Array }
  | { readonly ok: false; readonly error: PrecompileError }

/** Why a precompile failed, in geth's words. */
export type PrecompileError = string

export type Precompile = (input: Uint8Array, gasLimit: number) => PrecompileResult

const OUT_OF_GAS: PrecompileError = 'out of gas'

type Pricing = {
  /** May be infinite; then no gas limit is enough. */
  readonly cost: (input: Uint8Array) => number
  /** A text is a failure. Called only if the gas limit covers the cost, so that nobody can make us compute for free. */
  readonly run: (input: Uint8Array) => Uint8Array | PrecompileError
}

export type PricedPrecompile = Precompile & Pricing

export function priced({ cost, run }: Pricing): PricedPrecompile {
  const precompile: Precompile = (input, gasLimit) => {
    const gasUsed = cost(input)
    if (gasUsed > gasLimit) return { ok: false, error: OUT_OF_GAS }
    const output = run(input)
    return typeof output === 'string' ? { ok: false, error: output } : { ok: true, gasUsed, output }
  }
  return Object.assign(precompile, { cost, run })
}

/** The OP Stack limits the input of some precompiles, so that its fault proofs can run each call as a whole. */
export function withInputLimit({ maxBytes, error }: InputLimit, { cost, run }: PricedPrecompile): Precompile {
  return priced({ cost, run: (input) => (input.length > maxBytes ? error : run(input)) })
}

export type InputLimit = { readonly maxBytes: number; readonly error: PrecompileError }

/** `length` bytes from `offset` on. After the end of the input come zeros. */
export function readPadded(input: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length <= input.length) return input.subarray(offset, offset + length)
  const bytes = new Uint8Array(length)
  if (offset < input.length) bytes.set(input.subarray(offset))
  return bytes
}

/** Big-endian bytes of a number of any size, padded with zeros in front. */
export function integerToBytes(value: bigint, length: number): Uint8Array {
  return length === 0 ? new Uint8Array(0) : hexToBytes(`0x${value.toString(16).padStart(2 * length, '0')}`)
}

/** A new array each time, because the caller owns the output. */
export function booleanWord(value: boolean): Uint8Array {
  const word = new Uint8Array(32)
  if (value) word[31] = 1
  return word
}

export function wordCount(byteLength: number): number {
  return Math.ceil(byteLength / 32)
}
