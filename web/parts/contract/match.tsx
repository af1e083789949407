import { Icon } from '../page/icons.tsx'

const MATCHES = {
  exact: ['finalized', 'Exact match', 'The source code is the original, byte by byte, comments included.'],
  partial: ['included', 'Partial match', 'The code is the same; comments or file names may differ.'],
  similar: ['included', 'Similar match', 'A verified contract has the same code.'],
} as const

export function MatchBadge({ match }: { match: keyof typeof MATCHES }) {
  const [kind, word, means] = MATCHES[match]
  return (
    <span class={`badge ${kind}`} title={means}>
      <Icon name="check" />
      {word}
    </span>
  )
}
