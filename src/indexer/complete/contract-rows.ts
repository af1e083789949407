// Which addresses are contracts: those seen being created and, where the node has to tell because not every creation was seen, those that
// have code when they are first met. An account that delegates (EIP-7702) is none.
import type { Hex } from '../../chain/bytes/hex.ts'
import { createLru } from '../../lib/cache/lru.ts'
import type { Database } from '../../store/engine/database.ts'
import { contractsBefore } from '../../store/read/contracts.ts'
import type { ContractRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { readStateAtOrLatest } from './state-at-block.ts'

export type ContractFinder = {
  /** Contracts that each of the blocks is the first to show. */
  rowsOf(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<ContractRow[][]>
}

export type ContractFinderOptions = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  /** From the genesis file on, with traces: then nobody has to be asked. */
  readonly seesAllCreations: boolean
}

const ADDRESSES_KEPT = 200_000
const DELEGATION = '0xef0100'

export function createContractFinder({ node, database, seesAllCreations }: ContractFinderOptions): ContractFinder {
  const kept = createLru<Hex, 'contract' | 'account'>(ADDRESSES_KEPT)

  const withCode = async (sights: ReadonlyMap<Hex, number>, signal: AbortSignal): Promise<Set<Hex>> => {
    const addresses = [...sights.keys()]
    const codes = await readStateAtOrLatest(
      { node, signal },
      addresses.map((address) => ({ type: 'code', address, height: sights.get(address)! })),
    )
    return new Set(addresses.filter((_, index) => isContractCode(codes[index] ?? null)))
  }

  return {
    async rowsOf(blocks, signal) {
      const firstSights = new Map<Hex, number>()
      const created = new Set<Hex>()
      for (const { block, participants, created: made } of blocks) {
        for (const { address } of made) created.add(address)
        for (const address of participants) {
          if (!firstSights.has(address) && kept.get(address) === undefined) firstSights.set(address, block.height)
        }
      }
      const unsettled = [...new Set([...firstSights.keys(), ...created])]
      const known = await contractsBefore(database, unsettled, blocks[0]!.block.height)
      for (const address of known) firstSights.delete(address)
      const coded = seesAllCreations ? new Set<Hex>() : await withCode(firstSights, signal)

      const rows = blocks.map(({ block, created: made }): ContractRow[] => {
        const fresh = made.filter(({ address }) => !known.has(address) && kept.get(address) !== 'contract')
        for (const { address } of fresh) known.add(address)
        const met = [...coded].filter((address) => firstSights.get(address) === block.height && !known.has(address))
        for (const address of met) known.add(address)
        return [...fresh, ...met.map((address) => ({ address, height: block.height, txPos: null, creator: null }))]
      })
      for (const address of firstSights.keys()) kept.set(address, 'account')
      for (const address of known) kept.set(address, 'contract')
      return rows
    },
  }
}

function isContractCode(code: Hex | null): boolean {
  return code !== null && code !== '0x' && !code.startsWith(DELEGATION)
}
