// What a call, a log or an error says, in words. The ABI of the very contract is believed; without one the selector's meaning is a
// guess, taken only where the data decode by it and encode back to the same bytes.
import type { Abi } from 'viem'
import {
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbiItem,
} from 'viem/utils'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { SelectorKind } from '../../store/jobs/selectors.ts'
import { canonicalOf } from './abi-item.ts'

export type Decoded = {
  /** `transfer`. */
  readonly name: string
  /** `transfer(address,uint256)`. */
  readonly signature: string
  readonly arguments: readonly DecodedArgument[]
  /** Not from the contract's own ABI. */
  readonly isGuess: boolean
}

export type DecodedArgument = { readonly name: string; readonly type: string; readonly value: ArgumentValue }

/** Numbers are decimal texts, bytes and addresses lower-case hex; lists and structs are as they are nested. */
export type ArgumentValue = string | boolean | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue }

export type LogData = { readonly topics: readonly Hex[]; readonly data: Hex }

export type Decoder = {
  call: (data: Hex, address?: Hex) => Promise<Decoded | undefined>
  log: (log: LogData, address?: Hex) => Promise<Decoded | undefined>
  error: (data: Hex, address?: Hex) => Promise<Decoded | undefined>
}

export type DecoderSources = {
  /** ABIs that hold for the address: its own and its implementations'. */
  readonly abisOf: (address: Hex) => Promise<readonly Abi[]>
  /** Human-readable items that a selector may mean. */
  readonly meaningsOf: (kind: SelectorKind, selector: Hex) => Promise<readonly string[]>
}

export function createDecoder({ abisOf, meaningsOf }: DecoderSources): Decoder {
  const decoded = async (
    read: (abi: Abi, whose: Whose) => Decoded | undefined,
    address: Hex | undefined,
    key: { kind: SelectorKind; selector: Hex },
  ): Promise<Decoded | undefined> => {
    for (const abi of address === undefined ? [] : await abisOf(address)) {
      const known = read(abi, 'own')
      if (known) return known
    }
    for (const meaning of await meaningsOf(key.kind, key.selector)) {
      const guessed = attempt(() => read([parseAbiItem(meaning as never)] as Abi, 'guessed'))
      if (guessed) return { ...guessed, isGuess: true }
    }
    return undefined
  }
  return {
    call: async (data, address) =>
      data.length < SELECTOR_CHARS
        ? undefined
        : decoded((abi, whose) => readCall(abi, data, whose), address, {
            kind: 'function',
            selector: selectorOf(data),
          }),
    log: async (log, address) =>
      log.topics[0] === undefined
        ? undefined
        : decoded((abi) => readLog(abi, log), address, { kind: 'event', selector: log.topics[0] }),
    error: async (data, address) =>
      data.length < SELECTOR_CHARS
        ? undefined
        : decoded((abi, whose) => readError(abi, data, whose), address, {
            kind: 'error',
            selector: selectorOf(data),
          }),
  }
}

const SELECTOR_CHARS = 10
function selectorOf(data: Hex): Hex {
  return data.slice(0, SELECTOR_CHARS) as Hex
}

/** What the language itself throws. */
const BUILT_IN_ERRORS = [parseAbiItem('error Error(string message)'), parseAbiItem('error Panic(uint256 code)')]

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** A guess must account for every byte; the contract's own ABI may meet data with something behind them. */
type Whose = 'own' | 'guessed'

function readCall(abi: Abi, data: Hex, whose: Whose): Decoded | undefined {
  return attempt(() => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    if (whose === 'guessed' && encodeFunctionData({ abi, functionName, args } as never) !== data) return undefined
    return shown(abi, 'function', functionName, args)
  })
}

function readError(abi: Abi, data: Hex, whose: Whose): Decoded | undefined {
  return attempt(() => {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    if (whose === 'guessed' && encodeErrorResult({ abi, errorName, args } as never) !== data) return undefined
    return shown([...abi, ...BUILT_IN_ERRORS], 'error', errorName, args as readonly unknown[])
  })
}

function readLog(abi: Abi, { topics, data }: LogData): Decoded | undefined {
  return attempt(() => {
    const { eventName, args = {} } = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data, strict: true })
    const item = itemOf(abi, 'event', eventName!, (each) => topicOf(each) === topics[0])
    const values = Array.isArray(args) ? args : item.inputs.map(({ name }) => (args as Record<string, unknown>)[name!])
    return shownItem(item, values)
  })
}

type Item = {
  readonly type: string
  readonly name: string
  readonly inputs: readonly { name?: string; type: string; components?: readonly unknown[] }[]
}

function topicOf(item: Item): Hex | undefined {
  return attempt(() => encodeEventTopics({ abi: [item], eventName: item.name } as never)[0] as Hex)
}

function itemOf(abi: Abi, type: string, name: string, isIt: (item: Item) => boolean): Item {
  return (abi as readonly Item[]).find((item) => item.type === type && item.name === name && isIt(item))!
}

function shown(abi: Abi, type: string, name: string, args: readonly unknown[]): Decoded {
  return shownItem(
    itemOf(abi, type, name, ({ inputs }) => inputs.length === args.length),
    args,
  )
}

function shownItem(item: Item, values: readonly unknown[]): Decoded {
  return {
    name: item.name,
    signature: canonicalOf(item as never),
    arguments: item.inputs.map(({ name = '', type }, i) => ({ name, type, value: plain(values[i]) })),
    isGuess: false,
  }
}

function plain(value: unknown): ArgumentValue {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, each]) => [name, plain(each)]))
}
