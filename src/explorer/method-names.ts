// What methods are called, for lists that show many calls: by the ABI of the very contract, else by any ABI that was ever verified.
import type { AbiFunction } from 'viem'
import { toFunctionSelector } from 'viem/utils'
import type { Hex } from '../chain/hex.ts'
import { createGenerations } from '../lib/generations.ts'
import type { Queries } from '../store/database.ts'
import { signaturesOf } from '../store/signatures-table.ts'
import { verifiedAt } from '../store/verification-contracts.ts'
import { wellKnownMeanings } from '../verification/signatures/well-known.ts'

export type MethodNames = {
  /** By address and selector, one behind the other, for contracts that are verified. */
  own: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** By selector alone. */
  guessed: (selectors: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const CONTRACTS_KEPT = 1_000
const SELECTORS_KEPT = 5_000
/** One without a name may get one with the next contract that is verified. */
const NAMELESS_KEPT_MS = 5_000

export const createMethodNames = (queries: Queries): MethodNames => {
  const contracts = createGenerations<string, readonly (readonly [key: string, name: string])[]>(CONTRACTS_KEPT)
  const names = createGenerations<string, { readonly name: string | undefined; readonly untilMs: number }>(
    SELECTORS_KEPT,
  )

  /** Read once: beside the ABI there are all sources. */
  const methodsOf = async (address: string) => {
    const known = contracts.get(address)
    if (known) return known
    const row = await verifiedAt(queries, address as Hex)
    const { abi = [] } = row ? (JSON.parse(row.detail) as { abi?: readonly { type: string }[] }) : {}
    const methods = abi
      .filter((item): item is AbiFunction => item.type === 'function')
      .map((item) => [address + toFunctionSelector(item), item.name] as const)
    contracts.set(address, methods)
    return methods
  }
  const nameOf = async (selector: string): Promise<string | undefined> => {
    const known = names.get(selector)
    if (known && known.untilMs > Date.now()) return known.name
    const name = /^function (\w+)/.exec((await meaningOf(queries, selector as Hex)) ?? '')?.[1]
    names.set(selector, { name, untilMs: name ? Number.POSITIVE_INFINITY : Date.now() + NAMELESS_KEPT_MS })
    return name
  }

  return {
    own: async (addresses) => new Map((await Promise.all(addresses.map(methodsOf))).flat()),
    guessed: async (selectors) => {
      const found = await Promise.all(selectors.map(async (selector) => [selector, await nameOf(selector)] as const))
      return new Map(found.flatMap(([selector, name]) => (name === undefined ? [] : [[selector, name] as const])))
    },
  }
}

/** The first of what it may mean. */
export const meaningOf = async (queries: Queries, selector: Hex): Promise<string | undefined> =>
  wellKnownMeanings('function', selector)[0] ?? (await signaturesOf(queries, 'function', selector))[0]
