import { grouped, gweiFrom, shortened } from '../text/numbers.ts'

/** Shortened unless `full`; the exact value is in the title. */
export function Amount({ value, symbol, full = false }: { value: string; symbol: string; full?: boolean }) {
  if (value === '') return <span class="none">unknown</span>
  const text = full ? grouped(value) : shortened(value, 6)
  return (
    <span class={value === '0' ? 'amount zero' : 'amount'} title={`${value} ${symbol}`}>
      <span class="figure">{text}</span> <span class="unit">{symbol}</span>
    </span>
  )
}

export function Gwei({ value }: { value: string }) {
  return value === '' ? <span class="none">none</span> : <Amount value={gweiFrom(value)} symbol="Gwei" />
}
