// Where a token balance comes from, in words; nothing is said of sums that agree with the contract where space is short.
const WORDS: Readonly<Record<string, { readonly short: string; readonly long: string }>> = {
  events: { short: '', long: 'Sums of events, confirmed by the contract' },
  contract: { short: 'from contract', long: 'Read from the contract' },
  'contract-partial': {
    short: 'from contract',
    long: 'Read from the contract; the known holders do not add up to the supply',
  },
  unconfirmed: { short: 'unconfirmed', long: 'Sums of events, not confirmed by the contract' },
}

type Sourced = { readonly balanceSource: string; readonly balanceHeight: string }

export function BalanceSource({ of: { balanceSource, balanceHeight } }: { of: Sourced }) {
  const at = balanceHeight === '' ? '' : ` at block ${balanceHeight}`
  return <span>{`${WORDS[balanceSource]?.long ?? balanceSource}${at}`}</span>
}

/** A tag beside the balance, unless it is an ordinary one. */
export function BalanceMark({ of: { balanceSource, balanceHeight } }: { of: Sourced }) {
  const words = WORDS[balanceSource]
  if (words === undefined || words.short === '') return null
  return (
    <span class="tag" title={`${words.long}${balanceHeight === '' ? '' : ` at block ${balanceHeight}`}`}>
      {words.short}
    </span>
  )
}
