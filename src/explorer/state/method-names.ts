// What methods are called, for lists that show many calls: by the ABI of the very contract or of what it delegates to, else by any ABI
// that was ever verified. A name is not worth a list that waits: what the node does not tell in time is a guess until the next look.
import type { Abi, AbiFunction } from 'viem'
import { toFunctionSelector } from 'viem/utils'
import type { Hex } from '../../chain/bytes/hex.ts'
import { createGenerations } from '../../lib/cache/generations.ts'
import type { Queries } from '../../store/engine/database.ts'
import { selectorMeanings } from '../../store/jobs/selectors.ts'
import { verifiedAt } from '../../store/jobs/verified-contracts.ts'
import { wellKnownMeanings } from '../../verification/selectors/well-known.ts'
import type { ExplorerOptions } from './chain-now.ts'

export type MethodNames = {
  /** By address and selector, one behind the other, for those that are verified contracts or delegate to such. */
  own: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** By selector alone. */
  guessed: (selectors: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const CONTRACTS_KEPT = 1_000
const SELECTORS_KEPT = 5_000
/** How long a list waits for one answer that is not known yet. */
const PATIENCE_MS = 250
const VERIFIED_KEPT_MS = 600_000
/** What has no name may get one with the next contract that is verified. */
const NAMELESS_KEPT_MS = 5_000
/** The node is asked for it. Upgrades are rare, and a method that they brought is a guess until then. */
const TOLD_KEPT_MS = 60_000
const TROUBLE_KEPT_MS = 5_000
/** Facets of a diamond whose methods are named. */
const MOST_FACETS = 20

type Method = readonly [selector: Hex, name: string]

export function createMethodNames({
  queries,
  verification,
}: Pick<ExplorerOptions, 'queries' | 'verification'>): MethodNames {
  const names = createGenerations<string, { readonly name: string | undefined; readonly untilMs: number }>(
    SELECTORS_KEPT,
  )
  const verifiedMethods = lookedUp<Method>([VERIFIED_KEPT_MS, NAMELESS_KEPT_MS], async (address) => {
    const row = await verifiedAt(queries, address)
    return row ? methodsIn((JSON.parse(row.detail) as { abi?: Abi }).abi) : []
  })
  const similarMethods = lookedUp<Method>([VERIFIED_KEPT_MS, TOLD_KEPT_MS], async (address) =>
    methodsIn((await verification?.contractAt(address))?.abi),
  )
  const implementations = lookedUp<Hex>([TOLD_KEPT_MS, TOLD_KEPT_MS], async (address) =>
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
    // Of two with one selector the proxy itself answers.
    return [...behind.flat(), ...own].map(([selector, name]) => [address + selector, name] as const)
  }
  const nameOf = async (selector: string): Promise<string | undefined> => {
    const known = names.get(selector)
    if (known && known.untilMs > Date.now()) return known.name
    const name = /^function (\w+)/.exec((await meaningOf(queries, selector as Hex)) ?? '')?.[1]
    names.set(selector, { name, untilMs: name ? Number.POSITIVE_INFINITY : Date.now() + NAMELESS_KEPT_MS })
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

/** The first of what it may mean. */
export async function meaningOf(queries: Queries, selector: Hex): Promise<string | undefined> {
  return wellKnownMeanings('function', selector)[0] ?? (await selectorMeanings(queries, 'function', selector))[0]
}

/**
 * What was found before is given at once, and looked up anew behind the scenes when it is old; nothing is looked up again. Where it
 * cannot be found out, or not in time, there is nothing for now.
 */
function lookedUp<T>(
  [foundKeptMs, nothingKeptMs]: readonly [number, number],
  look: (address: Hex) => Promise<readonly T[]>,
): (address: Hex) => Promise<readonly T[]> {
  type Entry = { found: readonly T[]; untilMs: number; looking: Promise<void> | undefined }
  const kept = createGenerations<Hex, Entry>(CONTRACTS_KEPT)
  const lookAnew = async (entry: Entry, address: Hex): Promise<void> => {
    try {
      entry.found = await look(address)
      entry.untilMs = Date.now() + (entry.found.length > 0 ? foundKeptMs : nothingKeptMs)
    } catch {
      entry.untilMs = Date.now() + TROUBLE_KEPT_MS
    }
    entry.looking = undefined
  }
  return async (address) => {
    const known = kept.get(address)
    const entry: Entry = known ?? { found: [], untilMs: 0, looking: undefined }
    if (!known) kept.set(address, entry)
    if (entry.untilMs < Date.now()) entry.looking ??= lookAnew(entry, address)
    if (entry.looking && entry.found.length === 0) await withinPatience(entry.looking)
    return entry.found
  }
}

async function withinPatience(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, PATIENCE_MS)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

function methodsIn(abi: Abi = []): readonly Method[] {
  return abi
    .filter((item): item is AbiFunction => item.type === 'function')
    .map((item) => [toFunctionSelector(item), item.name] as const)
}
