// Decoded arguments, and a tag for names that were guessed.

import type { DecodedWords } from '../../../src/contract/pages.ts'
import { Address } from './references.tsx'

export function GuessTag() {
  return (
    <span class="tag" title="Guessed from the selector: the ABI of this contract is not known">
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
