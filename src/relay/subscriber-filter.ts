import { addressToHex, bytesToHex, HexError, hexToBytes } from '../chain/bytes/hex.ts'
import { RlpError } from '../chain/bytes/rlp.ts'
import type { Transaction } from '../chain/codec/transaction.ts'
import { decodeTransaction } from '../chain/codec/transaction-codec.ts'
import type { OutgoingFlashblock } from './outgoing-flashblock.ts'
/** Flashblocks pass whole or not at all. Lower-case hex; an empty list asks for nothing. */
export type SubscriberFilter = { readonly [Kind in keyof FlashblockTraits]: readonly string[] } & {
  /** Between the kinds: `any` needs one that is met, `all` needs each that is asked for. Within a kind one value is enough. */
  readonly match: 'any' | 'all'
}

const KINDS = ['addresses', 'topics', 'methods'] as const

export function isMatch(filter: SubscriberFilter, traits: FlashblockTraits): boolean {
  const asked = KINDS.filter((kind) => filter[kind].length > 0)
  const isMet = (kind: keyof FlashblockTraits) => filter[kind].some((value) => traits[kind].has(value))
  return filter.match === 'any' ? asked.some(isMet) : asked.every(isMet)
}

export type FlashblockTraits = {
  /** Recipients, emitters of logs, and whose balance changed; lower case. */
  readonly addresses: ReadonlySet<string>
  readonly topics: ReadonlySet<string>
  /** The first four bytes of calldata. */
  readonly methods: ReadonlySet<string>
}

const SELECTOR_BYTES = 4

/** `before` is the flashblock that came before in the same payload: balances are of the whole block so far. */
export function traitsOf(flashblock: OutgoingFlashblock, before: OutgoingFlashblock | undefined): FlashblockTraits {
  const addresses = new Set(changedBalances(flashblock, before))
  const topics = new Set<string>()
  const methods = new Set<string>()
  for (const raw of flashblock.diff.transactions) {
    const transaction = decoded(raw)
    if (!transaction) continue
    if (transaction.to !== null) addresses.add(addressToHex(transaction.to))
    if (transaction.data.length >= SELECTOR_BYTES) methods.add(bytesToHex(transaction.data.subarray(0, SELECTOR_BYTES)))
  }
  for (const log of logsOf(flashblock)) {
    addresses.add(log.address.toLowerCase())
    for (const topic of log.topics) topics.add(topic.toLowerCase())
  }
  return { addresses, topics, methods }
}

function* changedBalances(flashblock: OutgoingFlashblock, before: OutgoingFlashblock | undefined): Generator<string> {
  const known = before?.metadata.new_account_balances
  for (const [address, balance] of Object.entries(flashblock.metadata.new_account_balances ?? {})) {
    if (known?.[address] !== balance) yield address.toLowerCase()
  }
}

/** A transaction of an unknown type has no recipient that could be read. */
function decoded(raw: string): Transaction | undefined {
  try {
    return decodeTransaction(hexToBytes(raw))
  } catch (error) {
    if (error instanceof RlpError || error instanceof HexError) return undefined
    throw error
  }
}

type WireLog = { readonly address: string; readonly topics: readonly string[] }

/** The contract leaves receipts unread, so this function checks their form. */
function* logsOf({ metadata }: OutgoingFlashblock): Generator<WireLog> {
  for (const keyed of Object.values(metadata.receipts ?? {})) {
    for (const receipt of Object.values(keyed)) {
      const { logs } = Object(receipt) as { logs?: unknown }
      if (Array.isArray(logs)) yield* logs.filter(isWireLog)
    }
  }
}

function isWireLog(log: unknown): log is WireLog {
  const { address, topics } = Object(log) as Partial<Record<string, unknown>>
  return typeof address === 'string' && Array.isArray(topics) && topics.every((topic) => typeof topic === 'string')
}
