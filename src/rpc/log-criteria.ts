// Which logs a client asks for: by address and by topics, each topic one of several or anything.
import type { Log } from '../chain/log.ts'
import type { RpcLog } from '../chain/rpc-types.ts'
import type { LogCriteriaObject } from '../contract/rpc-params.ts'

export type LogCriteria = {
  readonly addresses: ReadonlySet<bigint> | null
  readonly topics: readonly (ReadonlySet<bigint> | null)[]
}

/** An empty list means anything, as null does. */
export const criteriaOf = ({ address, topics }: LogCriteriaObject): LogCriteria => ({
  addresses: wordsIn(address),
  topics: (topics ?? []).map(wordsIn),
})

export const ANY_LOG: LogCriteria = { addresses: null, topics: [] }

export function matches({ addresses, topics }: LogCriteria, log: Log): boolean {
  if (addresses !== null && !addresses.has(log.address)) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(log.topics[at]!))
}

const wordsIn = (hexes: readonly string[] | null | undefined): ReadonlySet<bigint> | null =>
  hexes && hexes.length > 0 ? new Set(hexes.map(BigInt)) : null

/** The same for a log as JSON-RPC spells it. */
export function matchesRpc({ addresses, topics }: LogCriteria, log: Pick<RpcLog, 'address' | 'topics'>): boolean {
  if (addresses !== null && !addresses.has(BigInt(log.address))) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, at) => wanted === null || wanted.has(BigInt(log.topics[at]!)))
}
