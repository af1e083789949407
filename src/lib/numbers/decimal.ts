// Exact decimals as text: no exponent, no trailing zeros, no floating point on the way.

/** 1500000n with 6 decimals is `1.5`. */
export function decimalFrom(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${decimalFrom(-amount, decimals)}`
  const digits = amount.toString()
  if (decimals === 0 || amount === 0n) return digits
  const whole = digits.length > decimals ? digits.slice(0, -decimals) : '0'
  const fraction = withoutTrailingZeros(digits.slice(-decimals).padStart(decimals, '0'))
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** A quotient rounded half up at the given number of decimals; division by zero gives `0`. */
export function quotientFrom(dividend: bigint, divisor: bigint, decimals: number): string {
  if (divisor === 0n) return '0'
  return decimalFrom((2n * dividend + divisor) / (2n * divisor), decimals)
}

/** The smallest amount that is not below a decimal. */
export function amountAtLeast(decimal: string, decimals: number): bigint {
  const { amount, isExact } = scaled(decimal, decimals)
  return isExact ? amount : amount + 1n
}

/** The largest amount that is not above a decimal. */
export function amountAtMost(decimal: string, decimals: number): bigint {
  return scaled(decimal, decimals).amount
}

/** The product of two decimals, exact. */
export function productOf(a: string, b: string): string {
  const [left, right] = [split(a), split(b)]
  const amount = BigInt(left.whole + left.fraction) * BigInt(right.whole + right.fraction)
  return decimalFrom(amount, left.fraction.length + right.fraction.length)
}

/** Below zero, zero or above zero, as for sorting. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(split(a).fraction.length, split(b).fraction.length)
  const [left, right] = [scaled(a, scale).amount, scaled(b, scale).amount]
  return left < right ? -1 : left > right ? 1 : 0
}

/** A number of JSON without its exponent: `1e-7` becomes `0.0000001`. Undefined for anything that is no amount. */
export function plainDecimal(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  const [, whole, fraction = '', exponent = '0'] = /^(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const shift = Number(exponent)
  const digits = whole + fraction
  const point = whole.length + shift
  const padded = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits
  const at = Math.max(point, 1)
  const spelled = `${padded.slice(0, at)}.${padded.slice(at)}`
  return spelled.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '') || '0'
}

function split(decimal: string): { whole: string; fraction: string } {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return { whole, fraction }
}

function scaled(decimal: string, decimals: number): { amount: bigint; isExact: boolean } {
  const { whole, fraction } = split(decimal)
  const digits = fraction.slice(0, decimals).padEnd(decimals, '0')
  return { amount: BigInt(whole + digits), isExact: !/[1-9]/.test(fraction.slice(decimals)) }
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--
  return digits.slice(0, end)
}

const ZERO = '0'.charCodeAt(0)
