// The ABI of a contract as a list of signatures and as JSON.
import { Copy } from '../values/references.tsx'

export type AbiParameter = {
  readonly name?: string | undefined
  readonly type: string
  readonly indexed?: boolean
  readonly components?: readonly AbiParameter[]
}

export type AbiItem = {
  readonly type: string
  readonly name?: string | undefined
  readonly stateMutability?: string
  readonly inputs?: readonly AbiParameter[]
  readonly outputs?: readonly AbiParameter[]
}

const GROUPS = [
  ['function', 'Functions'],
  ['event', 'Events'],
  ['error', 'Errors'],
  ['constructor', 'Constructor'],
] as const

export function AbiList({ abi }: { abi: readonly AbiItem[] }) {
  const json = JSON.stringify(abi)
  return (
    <div class="abi">
      {GROUPS.map(([type, title]) => {
        const items = abi.filter((item) => item.type === type)
        return items.length === 0 ? null : (
          <section key={type} class="panel">
            <h2>
              {title} <span class="count">{items.length}</span>
            </h2>
            <ul>
              {items.map((item) => (
                <li key={signatureOf(item)} class="hex">
                  {signatureOf(item)}
                  {isReading(item) && <span class="unit"> view</span>}
                  {item.stateMutability === 'payable' && <span class="unit"> payable</span>}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      <details class="panel">
        <summary>As JSON</summary>
        <Copy text={json} what="ABI" />
        <pre class="json">{JSON.stringify(abi, null, 1)}</pre>
      </details>
    </div>
  )
}

export function isReading({ stateMutability }: AbiItem): boolean {
  return stateMutability === 'view' || stateMutability === 'pure'
}

export function signatureOf({ name = '', inputs = [], outputs = [] }: AbiItem): string {
  return `${name}(${parametersText(inputs)})${outputs.length > 0 ? ` → ${parametersText(outputs)}` : ''}`
}

function parametersText(parameters: readonly AbiParameter[]): string {
  return parameters
    .map(({ name, type, indexed, components }) => {
      const whole = components ? `(${parametersText(components)})${type.slice('tuple'.length)}` : type
      return [whole, indexed && 'indexed', name].filter(Boolean).join(' ')
    })
    .join(', ')
}
