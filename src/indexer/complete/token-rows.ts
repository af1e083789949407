// New tokens of blocks, supplies that the blocks may have changed, and balance changes by wrapping and unwrapping.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import { tokensAmong } from '../../store/read/tokens.ts'
import type { BlockRows, TokenKind, TokenRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { TokenDeltas } from '../derive/token-deltas.ts'
import { type IssueTimeOptions, issueTimes } from './issue-times.ts'
import { readSupplies, readTokenMetadata, type SupplyQuery, type TokenMetadata } from './token-metadata.ts'
import { wrappersAmong } from './wrapping.ts'

export type TokenFinder = {
  rowsOf(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<TokenRows[]>
}

export type TokenRows = Pick<BlockRows, 'tokens' | 'supplies' | 'tokenDeltas'>

export type TokenFinderOptions = IssueTimeOptions & { readonly node: Pick<Node, 'batch'> }

const MAX_CACHED_ADDRESSES = 50_000

/** What a contract is known to be. Only of a wrapper do Deposit and Withdrawal events change balances. */
type TokenRole = 'wrapper' | 'token' | 'other'
type WrapsAt = (token: Hex, height: number) => boolean

export function createTokenFinder({ node, database, genesis }: TokenFinderOptions): TokenFinder {
  const knownRoles = new LRUCache<Hex, TokenRole>({ max: MAX_CACHED_ADDRESSES })
  const decidedWrappers = new LRUCache<Hex, boolean>({ max: MAX_CACHED_ADDRESSES })

  /** Asks contracts that emit such events for the first time in this process whether they wrap. */
  const decideWrappers = async (blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<void> => {
    const open = new Set(blocks.flatMap(({ wrapped }) => wrapped.map(({ token }) => token)))
    for (const token of open) if (decidedWrappers.get(token) !== undefined) open.delete(token)
    for (const [token, wraps] of await wrappersAmong({ node, signal }, blocks, open)) {
      if (wraps !== undefined) decidedWrappers.set(token, wraps)
    }
  }

  /** Where the node has no state to decide by, what looks like a wrapper is one until it is compared with its contract. */
  const roleOf = (token: Hex, { symbol, decimals }: Pick<TokenMetadata, 'symbol' | 'decimals'>) =>
    (decidedWrappers.get(token) ?? (symbol !== null && decimals !== null)) ? 'wrapper' : 'token'

  /** Contracts in these blocks that are not known as tokens yet: those with transfers, and those that wrapped before their first transfer. */
  const unknownContracts = async (blocks: readonly DerivedBlock[]) => {
    const moving = new Map<Hex, FirstUse>()
    const wrapping = new Map<Hex, FirstUse>()
    for (const { block, tokens, wrapped } of blocks) {
      const { height, timestampMs } = block
      for (const [token, { kind }] of tokens) {
        if (!isToken(knownRoles.get(token)) && !moving.has(token)) moving.set(token, { height, timestampMs, kind })
      }
      for (const { token } of wrapped) {
        const isNew = knownRoles.get(token) === undefined && !moving.has(token) && !wrapping.has(token)
        if (isNew) wrapping.set(token, { height, timestampMs, kind: 20 })
      }
    }
    const all = [...new Set([...moving.keys(), ...wrapping.keys()])]
    for (const token of await tokensAmong(database, all, blocks[0]!.block.height)) {
      moving.delete(token.address)
      wrapping.delete(token.address)
      knownRoles.set(token.address, roleOf(token.address, token))
    }
    return { moving, wrapping }
  }

  /** The new tokens: every contract with transfers, and those that wrap and answer like a token. */
  const newTokens = async (blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<Map<Hex, NewToken>> => {
    const { moving, wrapping } = await unknownContracts(blocks)
    const found = new Map<Hex, NewToken>()
    for (const [token, answers] of await readTokenMetadata({ node, signal }, wrapping)) {
      if (roleOf(token, answers) === 'wrapper') found.set(token, { ...wrapping.get(token)!, ...answers })
      else knownRoles.set(token, 'other')
    }
    for (const token of found.keys()) moving.delete(token)
    for (const [token, answers] of await readTokenMetadata({ node, signal }, moving)) {
      found.set(token, { ...moving.get(token)!, ...answers })
    }
    for (const [token, answers] of found) knownRoles.set(token, roleOf(token, answers))
    return found
  }

  return {
    async rowsOf(blocks, signal) {
      await decideWrappers(blocks, signal)
      const found = await newTokens(blocks, signal)
      const wrapsAt = (token: Hex, height: number) =>
        (found.get(token)?.height ?? 0) <= height &&
        isToken(knownRoles.get(token)) &&
        (decidedWrappers.get(token) ?? knownRoles.get(token) === 'wrapper')
      const issued = await issueTimes({ node, signal, database, genesis }, [...found.keys()], blocks)
      const changed = blocks.map((block) => tokensWithNewSupply(block, wrapsAt, found))
      const supplies = await readSupplies({ node, signal }, blocks, changed)
      return blocks.map((block, index) => ({
        tokens: [...found]
          .filter(([, { height }]) => height === block.block.height)
          .map(([address, token]) => tokenRow(address, token, issued.get(address))),
        supplies: supplies[index]!,
        tokenDeltas: deltasOf(block, wrapsAt),
      }))
    },
  }
}

type FirstUse = { readonly height: number; readonly timestampMs: number; readonly kind: TokenKind }
type NewToken = FirstUse & TokenMetadata

function isToken(role: TokenRole | undefined): boolean {
  return role === 'token' || role === 'wrapper'
}

function tokenRow(
  address: Hex,
  { kind, height, timestampMs, name, symbol, decimals }: NewToken,
  issuedMs = timestampMs,
): TokenRow {
  return { address, kind, height, issuedMs, name, symbol, decimals }
}

/** Minted, burnt, wrapped, unwrapped or new. */
function tokensWithNewSupply(
  { block, tokens, wrapped }: DerivedBlock,
  wrapsAt: WrapsAt,
  found: ReadonlyMap<Hex, FirstUse>,
): SupplyQuery[] {
  const changed = new Set<Hex>()
  for (const [token, { changesSupply }] of tokens) if (changesSupply) changed.add(token)
  for (const { token } of wrapped) if (wrapsAt(token, block.height)) changed.add(token)
  const fresh = [...found].filter(([token, { height }]) => height === block.height && !changed.has(token))
  return [...[...changed].map((token) => ({ token })), ...fresh.map(([token]) => ({ token, isFirst: true }))]
}

function deltasOf({ block, tokenDeltas, wrapped }: DerivedBlock, wrapsAt: WrapsAt) {
  const counted = wrapped.filter(({ token }) => wrapsAt(token, block.height))
  if (counted.length === 0) return tokenDeltas
  const all = new TokenDeltas(block.height)
  for (const { delta, ...key } of [...tokenDeltas, ...counted]) all.add(key, delta)
  return all.rows()
}
