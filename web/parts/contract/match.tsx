import { Icon } from '../page/icons.tsx'

const MATCHES = {
  exact: ['finalized', 'Exact match', 'Every byte of the sources is what was compiled, comments included.'],
  partial: ['included', 'Partial match', 'The code is the same; comments or names of files may differ.'],
  similar: ['included', 'Similar match', 'Another contract with the same code was verified.'],
} as const

/** How well a source fits the code on chain. */
export function MatchBadge({ match }: { match: keyof typeof MATCHES }) {
  const [kind, word, means] = MATCHES[match]
  return (
    <span class={`badge ${kind}`} title={means}>
      <Icon name="check" />
      {word}
    </span>
  )
}
