// EIP-5202: code that starts with 0xFE71 holds creation code for factories to copy.

/** The creation code in it; null for code that is no blueprint. */
export function blueprintIn(code: Uint8Array): Uint8Array | null {
  if (code[0] !== 0xfe || code[1] !== 0x71 || code.length < 4) return null
  const lengthBytes = code[2]! & 0b11
  if (code[2]! >> 2 !== 0 || lengthBytes === 0b11) return null
  let dataBytes = 0
  for (let i = 0; i < lengthBytes; i++) dataBytes = dataBytes * 256 + (code[3 + i] ?? 0)
  const start = 3 + lengthBytes + dataBytes
  return start < code.length ? code.subarray(start) : null
}
