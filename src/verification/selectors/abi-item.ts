// Items of ABIs as one line of text and as what they are called by on chain: four bytes of a function or an error, the topic of
// an event.
import type { Abi, AbiParameter } from 'viem'
import { parseAbiItem } from 'viem/utils'
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { SELECTOR_KINDS, type SelectorKind, type SelectorRow } from '../../store/jobs/selectors.ts'

type Item = { readonly type: SelectorKind; readonly name: string; readonly inputs: readonly Parameter[] }
type Parameter = AbiParameter & { readonly indexed?: boolean }

/** What can be told by its selector; constructors and anonymous events cannot. */
export function signaturesIn(abi: Abi): SelectorRow[] {
  return itemsIn(abi).flatMap((item) => {
    const text = textOf(item)
    return text === undefined ? [] : [{ kind: item.type, selector: selectorOf(item), text }]
  })
}

function itemsIn(abi: Abi): Item[] {
  return abi.flatMap((item) => {
    if (!('name' in item) || !(SELECTOR_KINDS as readonly string[]).includes(item.type)) return []
    if (item.type === 'event' && item.anonymous) return []
    return [{ type: item.type as SelectorKind, name: item.name, inputs: (item.inputs ?? []) as readonly Parameter[] }]
  })
}

/** `transfer(address,uint256)`. */
export function canonicalOf({ name, inputs }: Pick<Item, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(typeOf).join(',')})`
}

function selectorOf(item: Item): Hex {
  const hash = bytesToHex(keccak256(new TextEncoder().encode(canonicalOf(item))))
  return item.type === 'event' ? hash : (hash.slice(0, 10) as Hex)
}

function typeOf(parameter: AbiParameter): string {
  return 'components' in parameter && parameter.type.startsWith('tuple')
    ? `(${parameter.components.map(typeOf).join(',')})${parameter.type.slice('tuple'.length)}`
    : parameter.type
}

/** Names are only for show: where one of them is a word of the language, they are left out. */
function textOf({ type, name, inputs }: Item): string | undefined {
  return ['named', 'unnamed']
    .map((how) => {
      const parameters = inputs.map((input) => (how === 'named' ? parameterText(input) : unnamedText(input)))
      return `${type} ${name}(${parameters.join(', ')})`
    })
    .find(isReadable)
}

function isReadable(text: string): boolean {
  try {
    return parseAbiItem(text as never) !== undefined
  } catch {
    return false
  }
}

function unnamedText(parameter: Parameter): string {
  return `${typeOf(parameter)}${parameter.indexed ? ' indexed' : ''}`
}

function parameterText(parameter: Parameter): string {
  const type =
    'components' in parameter && parameter.type.startsWith('tuple')
      ? `(${parameter.components.map(parameterText).join(', ')})${parameter.type.slice('tuple'.length)}`
      : parameter.type
  return `${type}${parameter.indexed ? ' indexed' : ''}${parameter.name ? ` ${parameter.name}` : ''}`
}
