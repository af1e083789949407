// Exact conversions. Each throws an error that describes the expected input.

export function fromUnits(text: string, decimals: number): bigint {
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)(\d*)(?:\.(\d*))?$/.exec(text.trim().replace(/[,_\s]/g, '')) ?? []
  if (whole === '' && fraction === '') throw new Error('A number such as 1.5 is expected.')
  if (fraction.length > decimals)
    throw new Error(`At most ${decimals} digits after the decimal point: a wei cannot be divided.`)
  const wei = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -wei : wei
}

export function toUnits(wei: bigint, decimals: number): string {
  const digits = String(wei < 0n ? -wei : wei).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

export function hexFromText(text: string): string {
  return text === ''
    ? ''
    : `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export function textFromHex(hex: string): string {
  const digits = hex.trim().replace(/^0x/i, '')
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error('An even number of hex digits is expected.')
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('These bytes are not valid UTF-8.')
  }
}
