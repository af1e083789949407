// Forms for the functions of a contract. An island (islands/contract/calls.ts) calls the node or the wallet and shows the result below
// the form; the buttons are disabled until the island is loaded.

import { Nothing } from '../page/page-head.tsx'
import { GuessTag } from '../values/decoded.tsx'
import { type AbiItem, type AbiParameter, isReading, signatureOf } from './abi-list.tsx'

const MOST_FUNCTIONS = 300

type Props = {
  symbol: string
  address: string
  content: {
    readonly functions: readonly AbiItem[]
    readonly errors: readonly AbiItem[]
    /** The functions were guessed from the selectors in the code. */
    readonly isGuess: boolean
  }
  kind: 'read' | 'write'
}

export function ContractCalls({ symbol, address, content, kind }: Props) {
  const functions = content.functions
    .filter((item) => content.isGuess || isReading(item) === (kind === 'read'))
    .slice(0, MOST_FUNCTIONS)
  if (functions.length === 0) {
    return (
      <Nothing>
        {kind === 'read' ? 'This contract has no read functions.' : 'This contract has no write functions.'}
      </Nothing>
    )
  }
  return (
    <div
      class="contract-calls"
      data-contract-calls={kind}
      data-address={address}
      data-abi={JSON.stringify([...functions, ...content.errors])}
    >
      {content.isGuess && (
        <p class="note">
          The source code is not verified. These functions were guessed from the selectors in the code and may be wrong.
        </p>
      )}
      {kind === 'read' ? <Tags /> : <Wallets />}
      <noscript>
        <p class="note">Calling a contract from this page needs JavaScript.</p>
      </noscript>
      {functions.map((item, i) => (
        <details key={signatureOf(item)} class="panel contract-call">
          <summary>
            <span class="hex">{item.name}</span>{' '}
            <span class="unit">{(item.inputs ?? []).map(typeText).join(', ')}</span>
            {content.isGuess && <GuessTag />}
          </summary>
          <form class="form" data-function={String(i)}>
            {(item.inputs ?? []).map((input, index) => (
              <label key={`${index}-${input.name}`}>
                <span>
                  {input.name || `argument ${index + 1}`} <span class="unit">{typeText(input)}</span>
                </span>
                <input
                  name={`argument-${index}`}
                  autocomplete="off"
                  spellcheck={false}
                  placeholder={exampleOf(input.type)}
                />
              </label>
            ))}
            {item.stateMutability === 'payable' && (
              <label>
                <span>
                  Amount to send <span class="unit">{symbol}</span>
                </span>
                <input name="value" inputMode="decimal" autocomplete="off" placeholder="0" />
              </label>
            )}
            <button type="submit" class={kind === 'read' ? 'plain' : 'primary'} disabled>
              {kind === 'read' ? 'Query' : 'Send'}
            </button>
            <output aria-live="polite" />
          </form>
        </details>
      ))}
    </div>
  )
}

function Tags() {
  return (
    <p class="asking">
      <label>
        State{' '}
        <select name="tag">
          <option value="pending">preconfirmed</option>
          <option value="latest">latest</option>
          <option value="safe">safe</option>
          <option value="finalized">finalized</option>
        </select>
      </label>
    </p>
  )
}

function Wallets() {
  return (
    <p class="asking" data-wallets>
      <span class="soft" data-wallet-state>
        Looking for wallets in this browser
      </span>
    </p>
  )
}

function typeText({ type, components }: AbiParameter): string {
  return components ? `(${components.map(typeText).join(',')})${type.slice('tuple'.length)}` : type
}

function exampleOf(type: string): string {
  if (type.endsWith(']')) return '["first", "second"]'
  if (type.startsWith('tuple')) return '{"name": "value"}'
  if (type === 'bool') return 'true or false'
  if (type.startsWith('bytes') || type === 'address') return '0x…'
  return ''
}
