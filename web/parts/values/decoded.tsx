// Arguments in words, and whether the words are only guessed.

import type { DecodedWords } from '../../../src/contract/pages.ts'
import { Address } from './references.tsx'

export function GuessTag() {
  return (
    <span
      class="tag"
      title="By the selector alone: the contract's own ABI is not known, and it may mean something else"
    >
      guess
    </span>
  )
}

export function Arguments({ of }: { of: DecodedWords['arguments'] }) {
  return (
    <dl class="arguments">
      {of.map(({ name, type, value }, i) => (
        <div key={`${i}-${name}`}>
          <dt>
            {name} <span class="unit">{type}</span>
          </dt>
          <dd>{type === 'address' ? <Address address={value} /> : <span class="hex">{value}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
