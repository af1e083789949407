// Addresses among the arguments of a call. A contract that changes balances without an event often names the holder only there.
import type { Hex } from '../bytes/hex.ts'

const SELECTOR_DIGITS = 2 + 2 * 4
const WORD_DIGITS = 64
const ADDRESS_DIGITS = 40
/** Words that are read; further arguments are not looked at. */
export const MOST_WORDS = 32

/** Every word of the arguments that can be an address: twelve zero bytes, then a number that is too large for an amount of anything small. */
export function addressesInCalldata(input: Hex): Hex[] {
  const found = new Set<Hex>()
  // ABI-encoded arguments are whole words. Anything else, such as code for a deployment proxy, only looks like addresses.
  if ((input.length - SELECTOR_DIGITS) % WORD_DIGITS !== 0) return []
  const end = Math.min(input.length, SELECTOR_DIGITS + MOST_WORDS * WORD_DIGITS)
  for (let at = SELECTOR_DIGITS; at + WORD_DIGITS <= end; at += WORD_DIGITS) {
    const word = input.slice(at, at + WORD_DIGITS)
    if (ADDRESS_WORD.test(word)) found.add(`0x${word.slice(-ADDRESS_DIGITS)}`)
  }
  return [...found]
}

/** At least one digit among the first eight bytes of the address is not zero: amounts below 2^96 are left out, and hardly any address. */
const ADDRESS_WORD = /^0{24}(?!0{16})[0-9a-f]{40}$/
