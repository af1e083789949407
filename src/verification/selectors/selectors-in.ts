// Selectors that a contract may answer to: what its code pushes four bytes at a time. Some are of other contracts that it calls,
// hence only guesses.
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'

const PUSH1 = 0x60
const PUSH3 = 0x62
const PUSH4 = 0x63
const PUSH32 = 0x7f
/** Masks and halves of words, which no compiler means as a selector. */
const NOT_SELECTORS: ReadonlySet<string> = new Set(['0xffffffff', '0x00000000'])

export function selectorsIn(code: Uint8Array, most: number): readonly Hex[] {
  const found = new Set<Hex>()
  for (let at = 0; at < code.length && found.size < most; at++) {
    const opcode = code[at]!
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const size = opcode - PUSH1 + 1
    if ((opcode === PUSH4 || opcode === PUSH3) && at + size < code.length) {
      // One that begins with a zero byte is pushed without it.
      const selector: Hex = `0x${bytesToHex(code.subarray(at + 1, at + 1 + size))
        .slice(2)
        .padStart(8, '0')}`
      if (!NOT_SELECTORS.has(selector)) found.add(selector)
    }
    at += size
  }
  return [...found]
}
