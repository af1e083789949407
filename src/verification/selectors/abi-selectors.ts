// ABI selectors: the four bytes that name a function or an error, and the topic that names an event. They are read from an ABI, each
// with its item as one line of text, or guessed from code.
import type { Abi, AbiParameter } from 'viem'
import { parseAbiItem } from 'viem/utils'
import { bytesToHex, type Hex } from '../../chain/bytes/hex.ts'
import { keccak256 } from '../../chain/bytes/keccak.ts'
import { SELECTOR_KINDS, type SelectorKind, type SelectorRow } from '../../store/jobs/selectors.ts'

type Item = { readonly type: SelectorKind; readonly name: string; readonly inputs: readonly Parameter[] }
type Parameter = AbiParameter & { readonly indexed?: boolean }

/** Constructors and anonymous events have no selector. */
export function selectorsInAbi(abi: Abi): SelectorRow[] {
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

/** Parameter names are left out where one of them is a keyword, which viem cannot parse. */
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

const PUSH1 = 0x60
const PUSH3 = 0x62
const PUSH4 = 0x63
const PUSH32 = 0x7f
/** Masks: no compiler uses these as selectors. */
const NOT_SELECTORS: ReadonlySet<string> = new Set(['0xffffffff', '0x00000000'])

/**
 * Selectors that a contract may answer to: the four-byte constants that its code pushes. Some belong to contracts that it calls, so
 * they are guesses. At most `limit`.
 */
export function selectorsInCode(code: Uint8Array, limit: number): readonly Hex[] {
  const found = new Set<Hex>()
  for (let at = 0; at < code.length && found.size < limit; at++) {
    const opcode = code[at]!
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const size = opcode - PUSH1 + 1
    if ((opcode === PUSH4 || opcode === PUSH3) && at + size < code.length) {
      // A selector that begins with a zero byte is pushed without it.
      const selector: Hex = `0x${bytesToHex(code.subarray(at + 1, at + 1 + size))
        .slice(2)
        .padStart(8, '0')}`
      if (!NOT_SELECTORS.has(selector)) found.add(selector)
    }
    at += size
  }
  return [...found]
}
