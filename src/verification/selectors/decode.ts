// Decodes calls, logs and errors. The ABI of the contract itself is trusted. Without one, the meaning of the selector is a guess, which
// is used only where the data decode by it and encode back to the same bytes.
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
import { canonicalOf } from './abi-selectors.ts'

export type Decoded = {
  /** `transfer`. */
  readonly name: string
  /** `transfer(address,uint256)`. */
  readonly signature: string
  readonly arguments: readonly DecodedArgument[]
  /** It was decoded by the selector alone, not by the ABI of the contract. */
  readonly isGuess: boolean
}

export type DecodedArgument = { readonly name: string; readonly type: string; readonly value: ArgumentValue }

/** Numbers are decimal text, bytes and addresses are lower-case hex; lists and structs stay nested. */
export type ArgumentValue = string | boolean | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue }

export type LogData = { readonly topics: readonly Hex[]; readonly data: Hex }

export type Decoder = {
  call: (data: Hex, address?: Hex) => Promise<Decoded | undefined>
  log: (log: LogData, address?: Hex) => Promise<Decoded | undefined>
  error: (data: Hex, address?: Hex) => Promise<Decoded | undefined>
}

export type DecoderSources = {
  /** The ABIs of the contract and of its implementations. */
  readonly abisOf: (address: Hex) => Promise<readonly Abi[]>
  /** The human-readable ABI items that have this selector. */
  readonly meaningsOf: (kind: SelectorKind, selector: Hex) => Promise<readonly string[]>
}

export function createDecoder({ abisOf, meaningsOf }: DecoderSources): Decoder {
  const decoded = async (
    read: (abi: Abi, origin: AbiOrigin) => Decoded | undefined,
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
        : decoded((abi, origin) => readCall(abi, data, origin), address, {
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
        : decoded((abi, origin) => readError(abi, data, origin), address, {
            kind: 'error',
            selector: selectorOf(data),
          }),
  }
}

const SELECTOR_CHARS = 10
function selectorOf(data: Hex): Hex {
  return data.slice(0, SELECTOR_CHARS) as Hex
}

/** The errors of Solidity itself. */
const BUILT_IN_ERRORS = [parseAbiItem('error Error(string message)'), parseAbiItem('error Panic(uint256 code)')]

/** Undefined where viem cannot decode or encode: it throws for data that do not fit. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** A guess must account for every byte. With the contract's own ABI, more data may follow the arguments. */
type AbiOrigin = 'own' | 'guessed'

function readCall(abi: Abi, data: Hex, origin: AbiOrigin): Decoded | undefined {
  return attempt(() => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    if (origin === 'guessed' && encodeFunctionData({ abi, functionName, args } as never) !== data) return undefined
    return decodedByName(abi, 'function', functionName, args)
  })
}

function readError(abi: Abi, data: Hex, origin: AbiOrigin): Decoded | undefined {
  return attempt(() => {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    if (origin === 'guessed' && encodeErrorResult({ abi, errorName, args } as never) !== data) return undefined
    return decodedByName([...abi, ...BUILT_IN_ERRORS], 'error', errorName, args as readonly unknown[])
  })
}

function readLog(abi: Abi, { topics, data }: LogData): Decoded | undefined {
  return attempt(() => {
    const { eventName, args = {} } = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data, strict: true })
    const item = itemOf(abi, 'event', eventName!, (each) => topicOf(each) === topics[0])
    const values = Array.isArray(args) ? args : item.inputs.map(({ name }) => (args as Record<string, unknown>)[name!])
    return decodedItem(item, values)
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

function itemOf(abi: Abi, type: string, name: string, isMatch: (item: Item) => boolean): Item {
  return (abi as readonly Item[]).find((item) => item.type === type && item.name === name && isMatch(item))!
}

function decodedByName(abi: Abi, type: string, name: string, args: readonly unknown[]): Decoded {
  return decodedItem(
    itemOf(abi, type, name, ({ inputs }) => inputs.length === args.length),
    args,
  )
}

function decodedItem(item: Item, values: readonly unknown[]): Decoded {
  return {
    name: item.name,
    signature: canonicalOf(item as never),
    arguments: item.inputs.map(({ name = '', type }, i) => ({ name, type, value: toJsonValue(values[i]) })),
    isGuess: false,
  }
}

function toJsonValue(value: unknown): ArgumentValue {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(toJsonValue)
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, each]) => [name, toJsonValue(each)]))
}
