// Decimal strings as people read them: grouped, and shortened where a column has little room. The exact value is in the title of the
// element.
const GROUP = /\B(?=(\d{3})+$)/g

export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length).replace(GROUP, ',')
  return fraction === undefined ? sign + digits : `${sign}${digits}.${fraction}`
}

/** Cuts the digits after the point instead of rounding: an explorer must never show more than an account has. */
export function shortened(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  if (fraction.length <= digits) return grouped(decimal)
  const digitsShown = fraction.slice(0, digits).replace(/0+$/, '')
  if (digitsShown !== '') return grouped(`${whole}.${digitsShown}`)
  if (whole !== '0') return grouped(whole)
  return `<0.${'0'.repeat(digits - 1)}1`
}

/** `1 log`, `2 logs`; nouns whose plural ends in s. */
export function counted(count: string | number, noun: string): string {
  return `${grouped(String(count))} ${noun}${String(count) === '1' ? '' : 's'}`
}

const SIZES = ['', 'K', 'M', 'B', 'T'] as const

/** 30,000,000 becomes 30M. */
export function compact(value: number): string {
  const step = value < 10_000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(value) / 3))
  if (step === 0) return grouped(String(Math.round(value)))
  return `${(value / 1000 ** step).toFixed(1).replace(/\.0$/, '')}${SIZES[step]}`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((100 * part) / whole).toFixed(part / whole < 0.1 ? 1 : 0)}%`
}

/** Exact: moves the point by nine digits. */
export function gweiFrom(units: string): string {
  if (units === '') return ''
  const [whole = '0', fraction = ''] = units.split('.')
  const digits = fraction.padEnd(9, '0')
  const rest = digits.slice(9).replace(/0+$/, '')
  const gwei = `${whole}${digits.slice(0, 9)}`.replace(/^0+(?=\d)/, '')
  return rest === '' ? gwei : `${gwei}.${rest}`
}
