// Filters logs by address and topics, as `eth_getLogs` does. Null matches anything; a set matches any of its values.

import { bigintToBytes } from '../bytes/hex.ts'
import { bloomMayContain } from '../codec/bloom.ts'
import type { Log } from '../codec/log.ts'
import type { RpcLog } from './types.ts'

export type LogFilter = {
  readonly addresses: ReadonlySet<bigint> | null
  readonly topics: readonly (ReadonlySet<bigint> | null)[]
}

type Hexes = readonly string[] | null

/** An empty list matches anything, as null does. */
export function logFilterFrom({
  address,
  topics,
}: {
  readonly address?: Hexes | undefined
  readonly topics?: readonly Hexes[] | null | undefined
}): LogFilter {
  return {
    addresses: wordsIn(address ?? null),
    topics: (topics ?? []).map(wordsIn),
  }
}

export const ANY_LOG: LogFilter = { addresses: null, topics: [] }

export function matchesLog({ addresses, topics }: LogFilter, log: Log): boolean {
  if (addresses !== null && !addresses.has(log.address)) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(log.topics[at]!))
}

/** The same for a log in its JSON-RPC format. */
export function matchesRpcLog({ addresses, topics }: LogFilter, log: Pick<RpcLog, 'address' | 'topics'>): boolean {
  if (addresses !== null && !addresses.has(BigInt(log.address))) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(BigInt(log.topics[at]!)))
}

/** False is certain: no log in this bloom filter matches. */
export function mayMatchBloom({ addresses, topics }: LogFilter, bloom: Uint8Array): boolean {
  const mayHaveOne = (wanted: ReadonlySet<bigint> | null, bytes: number): boolean =>
    wanted === null || wanted.values().some((each) => bloomMayContain(bloom, bigintToBytes(each, bytes)))
  return mayHaveOne(addresses, ADDRESS_BYTES) && topics.every((wanted) => mayHaveOne(wanted, WORD_BYTES))
}

const ADDRESS_BYTES = 20
const WORD_BYTES = 32

function wordsIn(hexes: Hexes): ReadonlySet<bigint> | null {
  return hexes !== null && hexes.length > 0 ? new Set(hexes.map(BigInt)) : null
}
