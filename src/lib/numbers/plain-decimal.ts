/** A number of JSON as a decimal without exponent (`1e-7` is `0.0000001`); undefined for what is no amount. */
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
