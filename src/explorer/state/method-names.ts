// Names of methods, for lists that show many calls: by the ABI of the contract or of its implementation, else by any ABI that was ever
// verified. A list does not wait for names: what the node does not answer in time is shown as a guess until the next request.
import { LRUCache } from 'lru-cache'
import type { Abi, AbiFunction } from 'viem'
import { toFunctionSelector } from 'viem/utils'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Queries } from '../../store/engine/database.ts'
import { selectorMeanings } from '../../store/jobs/selectors.ts'
import { verifiedAt } from '../../store/jobs/verified-contracts.ts'
import type { Verification } from '../../verification/jobs/verification.ts'
import { wellKnownMeanings } from '../../verification/selectors/well-known.ts'

export type MethodNames = {
  /** Keyed by address and selector concatenated; for verified contracts and proxies of such. */
  own: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** By selector alone. */
  guessed: (selectors: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const MAX_CONTRACTS = 2_000
const MAX_SELECTORS = 10_000
/** How long a list waits for a lookup. */
const LOOKUP_TIMEOUT_MS = 250
const VERIFIED_TTL_MS = 600_000
/** The next verified contract may give a name to a selector without one. */
const NAMELESS_TTL_MS = 5_000
/** For answers of the node. Upgrades of proxies are rare, and a new method is shown as a guess until then. */
const NODE_TTL_MS = 60_000
const FAILURE_TTL_MS = 5_000
/** Facets of a diamond whose methods are named. */
const MOST_FACETS = 20

type Method = readonly [selector: Hex, name: string]

export function createMethodNames({
  queries,
  verification,
}: {
  readonly queries: Queries
  readonly verification?: Verification | undefined
}): MethodNames {
  const names = new LRUCache<string, { readonly name: string | undefined }>({ max: MAX_SELECTORS })
  const verifiedMethods = cachedLookup<Method>([VERIFIED_TTL_MS, NAMELESS_TTL_MS], async (address) => {
    const row = await verifiedAt(queries, address)
    return row ? methodsIn((JSON.parse(row.detail) as { abi?: Abi }).abi) : []
  })
  const similarMethods = cachedLookup<Method>([VERIFIED_TTL_MS, NODE_TTL_MS], async (address) =>
    methodsIn((await verification?.contractAt(address))?.abi),
  )
  const implementations = cachedLookup<Hex>([NODE_TTL_MS, NODE_TTL_MS], async (address) =>
    ((await verification?.proxyAt(address))?.implementations ?? []).slice(0, MOST_FACETS),
  )
  const methodsOf = async (address: Hex): Promise<readonly Method[]> => {
    const verified = await verifiedMethods(address)
    return verified.length > 0 ? verified : similarMethods(address)
  }
  const ownOf = async (address: Hex) => {
    const [own, behind] = await Promise.all([
      methodsOf(address),
      implementations(address).then((all) => Promise.all(all.map(methodsOf))),
    ])
    // Where both have the same selector, the proxy itself answers.
    return [...behind.flat(), ...own].map(([selector, name]) => [address + selector, name] as const)
  }
  const nameOf = async (selector: string): Promise<string | undefined> => {
    const known = names.get(selector)
    if (known) return known.name
    const name = /^function (\w+)/.exec((await meaningOf(queries, selector as Hex)) ?? '')?.[1]
    names.set(selector, { name }, name === undefined ? { ttl: NAMELESS_TTL_MS } : {})
    return name
  }

  return {
    own: async (addresses) => new Map((await Promise.all((addresses as readonly Hex[]).map(ownOf))).flat()),
    guessed: async (selectors) => {
      const found = await Promise.all(selectors.map(async (selector) => [selector, await nameOf(selector)] as const))
      return new Map(found.flatMap(([selector, name]) => (name === undefined ? [] : [[selector, name] as const])))
    },
  }
}

/** The first of its possible signatures. */
export async function meaningOf(queries: Queries, selector: Hex): Promise<string | undefined> {
  return wellKnownMeanings('function', selector)[0] ?? (await selectorMeanings(queries, 'function', selector))[0]
}

/**
 * A lookup with a cache that answers at once with what it found before, and looks again in the background when that is old. Where a
 * lookup fails or takes too long, the answer is empty for now.
 */
function cachedLookup<T>(
  [foundTtlMs, emptyTtlMs]: readonly [number, number],
  look: (address: Hex) => Promise<readonly T[]>,
): (address: Hex) => Promise<readonly T[]> {
  type Entry = { found: readonly T[]; untilMs: number; lookup: Promise<void> | undefined }
  const entries = new LRUCache<Hex, Entry>({ max: MAX_CONTRACTS })
  const refresh = async (entry: Entry, address: Hex): Promise<void> => {
    try {
      entry.found = await look(address)
      entry.untilMs = performance.now() + (entry.found.length > 0 ? foundTtlMs : emptyTtlMs)
    } catch {
      entry.untilMs = performance.now() + FAILURE_TTL_MS
    }
    entry.lookup = undefined
  }
  return async (address) => {
    const known = entries.get(address)
    const entry: Entry = known ?? { found: [], untilMs: 0, lookup: undefined }
    if (!known) entries.set(address, entry)
    if (entry.untilMs < performance.now()) entry.lookup ??= refresh(entry, address)
    if (entry.lookup && entry.found.length === 0) await withinTimeout(entry.lookup)
    return entry.found
  }
}

async function withinTimeout(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, LOOKUP_TIMEOUT_MS)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

function methodsIn(abi: Abi = []): readonly Method[] {
  return abi
    .filter((item): item is AbiFunction => item.type === 'function')
    .map((item) => [toFunctionSelector(item), item.name] as const)
}
