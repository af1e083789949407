// Which logs somebody asks for: by address and by topics, each topic one of several or anything.

import { bigintToBytes } from '../bytes/hex.ts'
import { mayContain } from '../codec/bloom.ts'
import type { Log } from '../codec/log.ts'
import type { RpcLog } from './types.ts'

export type LogCriteria = {
  readonly addresses: ReadonlySet<bigint> | null
  readonly topics: readonly (ReadonlySet<bigint> | null)[]
}

type Hexes = readonly string[] | null

/** An empty list means anything, as null does. */
export function criteriaOf({
  address,
  topics,
}: {
  readonly address?: Hexes | undefined
  readonly topics?: readonly Hexes[] | null | undefined
}): LogCriteria {
  return {
    addresses: wordsIn(address ?? null),
    topics: (topics ?? []).map(wordsIn),
  }
}

export const ANY_LOG: LogCriteria = { addresses: null, topics: [] }

export function matches({ addresses, topics }: LogCriteria, log: Log): boolean {
  if (addresses !== null && !addresses.has(log.address)) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(log.topics[at]!))
}

/** The same for a log as JSON-RPC spells it. */
export function matchesRpc({ addresses, topics }: LogCriteria, log: Pick<RpcLog, 'address' | 'topics'>): boolean {
  if (addresses !== null && !addresses.has(BigInt(log.address))) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(BigInt(log.topics[at]!)))
}

/** False is certain: no log under this bloom matches. */
export function mayMatch({ addresses, topics }: LogCriteria, bloom: Uint8Array): boolean {
  const mayHaveOne = (wanted: ReadonlySet<bigint> | null, bytes: number): boolean =>
    wanted === null || wanted.values().some((each) => mayContain(bloom, bigintToBytes(each, bytes)))
  return mayHaveOne(addresses, ADDRESS_BYTES) && topics.every((wanted) => mayHaveOne(wanted, WORD_BYTES))
}

const ADDRESS_BYTES = 20
const WORD_BYTES = 32

function wordsIn(hexes: Hexes): ReadonlySet<bigint> | null {
  return hexes !== null && hexes.length > 0 ? new Set(hexes.map(BigInt)) : null
}
