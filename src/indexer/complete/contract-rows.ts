// Finds which addresses are contracts: those whose creation is in the blocks and, if the index has not seen every creation, those that have
// code on the node when they are first seen. An account that delegates (EIP-7702) is not a contract. A token that the node itself runs
// (a precompile, B20 of Base) has no code and is one all the same: whoever logs transfers executes something.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database } from '../../store/engine/database.ts'
import { contractsBefore } from '../../store/read/contracts.ts'
import type { ContractRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { readStateAtOrLatest } from './state-at-block.ts'

export type ContractFinder = {
  /** The contracts that appear for the first time in each of the blocks. */
  rowsOf(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<ContractRow[][]>
}

export type ContractFinderOptions = {
  readonly node: Pick<Node, 'batch'>
  readonly database: Database
  /** The index begins with the genesis file and every block has its traces, so the node need not be asked for code. */
  readonly seesAllCreations: boolean
}

const MAX_CACHED_ADDRESSES = 200_000
const DELEGATION = '0xef0100'

export function createContractFinder({ node, database, ...options }: ContractFinderOptions): ContractFinder {
  let { seesAllCreations } = options
  const knownAddresses = new LRUCache<Hex, 'contract' | 'account'>({ max: MAX_CACHED_ADDRESSES })

  /** Those of the addresses that are contracts. */
  const contractsAmong = async (
    seen: ReadonlyMap<Hex, number>,
    { tokens, untraced }: Evidence,
    signal: AbortSignal,
  ): Promise<Set<Hex>> => {
    const access = { node, signal }
    const addresses = [...seen.keys()]
    const at = (address: Hex) => ({ address, height: seen.get(address)! })
    const codes = await readStateAtOrLatest(
      access,
      addresses.map((address) => ({ type: 'code', ...at(address) })),
    )
    const found = new Set<Hex>()
    const codeless: Hex[] = []
    for (const [index, address] of addresses.entries()) {
      const code = codes[index] ?? null
      if (isContractCode(code) || (code === '0x' && tokens.has(address))) found.add(address)
      else if (code === '0x' && untraced.has(address)) codeless.push(address)
    }
    // A creation leaves a nonce of 1 (EIP-161) unless the contract was destroyed.
    const nonces = await readStateAtOrLatest(
      access,
      codeless.map((address) => ({ type: 'nonce', ...at(address) })),
    )
    for (const [index, address] of codeless.entries()) if (nonces[index] === '0x0') found.add(address)
    return found
  }

  return {
    async rowsOf(blocks, signal) {
      const firstSeen = new Map<Hex, number>()
      const created = new Set<Hex>()
      if (blocks.some(({ traceGaps }) => traceGaps.length > 0)) {
        seesAllCreations = false
        // Whoever was an account may have become a contract in a call that is not known.
        knownAddresses.clear()
      }
      const tokens = new Set(blocks.flatMap((block) => [...block.tokens.keys()]))
      // An address that was taken for an account until it logged a transfer.
      const isNewToken = (address: Hex) => tokens.has(address) && knownAddresses.get(address) === 'account'
      const untraced = new Map(blocks.flatMap(untracedCreations))
      for (const { block, participants, created: createdInBlock } of blocks) {
        for (const { address } of createdInBlock) created.add(address)
        for (const address of participants) {
          const isOpen = knownAddresses.get(address) === undefined || isNewToken(address)
          if (!firstSeen.has(address) && isOpen) firstSeen.set(address, block.height)
        }
      }
      for (const [address, { height }] of untraced) firstSeen.set(address, height)
      const undecided = [...new Set([...firstSeen.keys(), ...created])]
      const known = await contractsBefore(database, undecided, blocks[0]!.block.height)
      for (const address of known) firstSeen.delete(address)
      const asked = seesAllCreations
        ? new Map([...firstSeen].filter(([address]) => tokens.has(address) && !created.has(address)))
        : firstSeen
      const coded = asked.size === 0 ? new Set<Hex>() : await contractsAmong(asked, { tokens, untraced }, signal)

      const rows = blocks.map(({ block, created: createdInBlock }): ContractRow[] => {
        const fresh = createdInBlock.filter(
          ({ address }) => !known.has(address) && knownAddresses.get(address) !== 'contract',
        )
        for (const { address } of fresh) known.add(address)
        const found = [...coded].filter((address) => firstSeen.get(address) === block.height && !known.has(address))
        for (const address of found) known.add(address)
        return [
          ...fresh,
          ...found.map(
            (address) => untraced.get(address) ?? { address, height: block.height, txPos: null, creator: null },
          ),
        ]
      })
      for (const address of firstSeen.keys()) knownAddresses.set(address, 'account')
      for (const address of known) knownAddresses.set(address, 'contract')
      return rows
    },
  }
}

/** What says more than code: `tokens` logged transfers, `untraced` were created by transactions without a trace. */
type Evidence = { readonly tokens: ReadonlySet<Hex>; readonly untraced: ReadonlyMap<Hex, ContractRow> }

function untracedCreations({
  block: { height },
  transactions,
  traceGaps,
  created,
}: DerivedBlock): [Hex, ContractRow][] {
  if (traceGaps.length === 0) return []
  const traced = new Set(created.map(({ address }) => address))
  return transactions.flatMap(({ contractAddress: address, pos: txPos, sender: creator }): [Hex, ContractRow][] =>
    address === null || traced.has(address) ? [] : [[address, { address, height, txPos, creator }]],
  )
}

function isContractCode(code: Hex | null): boolean {
  return code !== null && code !== '0x' && !code.startsWith(DELEGATION)
}
