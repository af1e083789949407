// Calls of a token contract, and what it returns for name(), symbol(), decimals(), totalSupply() and the like. A contract may revert, return bytes32 instead of a
// string, or return megabytes: the result is always short text without control characters, or null.
import { bytesToBigint, type Hex, hexToBytes } from '../bytes/hex.ts'

export const NAME_CALL: Hex = '0x06fdde03'
export const SYMBOL_CALL: Hex = '0x95d89b41'
export const DECIMALS_CALL: Hex = '0x313ce567'
export const TOTAL_SUPPLY_CALL: Hex = '0x18160ddd'

/** `balanceOf(address)` of ERC-20 and ERC-721. */
export function balanceCall(holder: Hex): Hex {
  return `0x70a08231${wordOfAddress(holder)}`
}

/** `balanceOf(address,uint256)` of ERC-1155. */
export function itemBalanceCall(holder: Hex, tokenId: bigint): Hex {
  return `0x00fdd58e${wordOfAddress(holder)}${wordOfNumber(tokenId)}`
}

/** `ownerOf(uint256)` of ERC-721. */
export function ownerCall(tokenId: bigint): Hex {
  return `0x6352211e${wordOfNumber(tokenId)}`
}

function wordOfAddress(address: Hex): string {
  return address.slice(2).padStart(2 * WORD, '0')
}

function wordOfNumber(value: bigint): string {
  return value.toString(16).padStart(2 * WORD, '0')
}

export const MAX_TOKEN_TEXT = 128

/** Decodes a `string`, or a `bytes32` up to its first zero. Null if there is no text. */
export function textFromAnswer(answer: Hex): string | null {
  const bytes = bytesIn(answer)
  const text = bytes.length === WORD ? bytes.subarray(0, endOfText(bytes)) : stringIn(bytes)
  if (text === null) return null
  // The bytes are cut first, so that a huge answer is never decoded completely. A character takes at most four bytes.
  const decoded = new TextDecoder().decode(text.subarray(0, 4 * MAX_TOKEN_TEXT))
  const readable = decoded.replace(UNPRINTABLE, '').trim()
  return readable === '' ? null : [...readable].slice(0, MAX_TOKEN_TEXT).join('')
}

export function decimalsFromAnswer(answer: Hex): number | null {
  const word = wordFromAnswer(answer)
  return word === null || word > MAX_DECIMALS ? null : Number(word)
}

export function wordFromAnswer(answer: Hex): bigint | null {
  const bytes = bytesIn(answer)
  return bytes.length < WORD ? null : bytesToBigint(bytes, 0, WORD)
}

/** The address in a word; null where the word holds something else. */
export function addressFromAnswer(answer: Hex): Hex | null {
  const word = wordFromAnswer(answer)
  return word === null || word >> 160n !== 0n ? null : `0x${word.toString(16).padStart(40, '0')}`
}

const WORD = 32
const MAX_DECIMALS = 255n
/** Control characters (PostgreSQL refuses U+0000), marks that change the direction of writing, and invalid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]/g

/** Characters of hex; a name or symbol is never longer. */
const MAX_READ_CHARACTERS = 2 + 2 * 64 * WORD

function bytesIn(answer: Hex): Uint8Array {
  const read = answer.slice(0, MAX_READ_CHARACTERS)
  return HEX.test(read) ? hexToBytes(read) : new Uint8Array(0)
}

const HEX = /^0x([0-9a-fA-F]{2})*$/

function endOfText(bytes: Uint8Array): number {
  const zero = bytes.indexOf(0)
  return zero === -1 ? bytes.length : zero
}

function stringIn(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 2 * WORD) return null
  const start = bytesToBigint(bytes, 0, WORD)
  if (start + BigInt(WORD) > BigInt(bytes.length)) return null
  const at = Number(start) + WORD
  const length = bytesToBigint(bytes, at - WORD, at)
  const available = BigInt(bytes.length - at)
  return bytes.subarray(at, length < available ? at + Number(length) : bytes.length)
}
