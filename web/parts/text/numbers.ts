// Decimal strings for people: grouped, and shortened where a column has little room. Nothing is lost: the exact value stays
// in the element's title.
const GROUP = /\B(?=(\d{3})+$)/g

export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length).replace(GROUP, ',')
  return fraction === undefined ? sign + digits : `${sign}${digits}.${fraction}`
}

/** At most so many digits behind the point, cut rather than rounded: an explorer never shows more than there is. */
export function shortened(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  if (fraction.length <= digits) return grouped(decimal)
  const kept = fraction.slice(0, digits).replace(/0+$/, '')
  if (kept !== '') return grouped(`${whole}.${kept}`)
  if (whole !== '0') return grouped(whole)
  return `<0.${'0'.repeat(digits - 1)}1`
}

const SIZES = ['', 'K', 'M', 'B', 'T'] as const

/** Whole numbers in a figure: 30,000,000 becomes 30M. */
export function compact(value: number): string {
  const step = value < 10_000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(value) / 3))
  if (step === 0) return grouped(String(Math.round(value)))
  return `${(value / 1000 ** step).toFixed(1).replace(/\.0$/, '')}${SIZES[step]}`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((100 * part) / whole).toFixed(part / whole < 0.1 ? 1 : 0)}%`
}

/** Native units to gwei, exactly: nine places to the left. */
export function gweiFrom(units: string): string {
  if (units === '') return ''
  const [whole = '0', fraction = ''] = units.split('.')
  const digits = fraction.padEnd(9, '0')
  const rest = digits.slice(9).replace(/0+$/, '')
  const gwei = `${whole}${digits.slice(0, 9)}`.replace(/^0+(?=\d)/, '')
  return rest === '' ? gwei : `${gwei}.${rest}`
}
