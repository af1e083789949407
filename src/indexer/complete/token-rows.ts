// New tokens of blocks, supplies that the blocks may have changed, and balance changes by wrapping and unwrapping.

import { LRUCache } from 'lru-cache'
import type { Hex } from '../../chain/bytes/hex.ts'
import type { Database } from '../../store/engine/database.ts'
import { contractCreations } from '../../store/read/contracts.ts'
import { tokensAmong } from '../../store/read/tokens.ts'
import type { BlockRows, TokenKind, TokenRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { TokenDeltas } from '../derive/token-deltas.ts'
import { readSupplies, readTokenMetadata, type SupplyQuery, type TokenMetadata } from './token-metadata.ts'

export type TokenFinder = {
  rowsOf(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<TokenRows[]>
}

export type TokenRows = Pick<BlockRows, 'tokens' | 'supplies' | 'tokenDeltas'>

export type TokenFinderOptions = { readonly node: Pick<Node, 'batch'>; readonly database: Database }

const MAX_CACHED_ADDRESSES = 50_000

/** What a contract is known to be. Only a token that answers like a wrapper has wrapped balances. */
type TokenRole = 'wrapper' | 'token' | 'other'
type WrapsAt = (token: Hex, height: number) => boolean

export function createTokenFinder({ node, database }: TokenFinderOptions): TokenFinder {
  const knownRoles = new LRUCache<Hex, TokenRole>({ max: MAX_CACHED_ADDRESSES })

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
      knownRoles.set(token.address, roleOf(token))
    }
    return { moving, wrapping }
  }

  /** The new tokens: every contract with transfers, and those that wrap and answer like a token. */
  const newTokens = async (blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<Map<Hex, NewToken>> => {
    const { moving, wrapping } = await unknownContracts(blocks)
    const found = new Map<Hex, NewToken>()
    for (const [token, answers] of await readTokenMetadata({ node, signal }, wrapping)) {
      if (roleOf(answers) === 'wrapper') found.set(token, { ...wrapping.get(token)!, ...answers })
      else knownRoles.set(token, 'other')
    }
    for (const token of found.keys()) moving.delete(token)
    for (const [token, answers] of await readTokenMetadata({ node, signal }, moving)) {
      found.set(token, { ...moving.get(token)!, ...answers })
    }
    for (const [token, answers] of found) knownRoles.set(token, roleOf(answers))
    return found
  }

  return {
    async rowsOf(blocks, signal) {
      const found = await newTokens(blocks, signal)
      const wrapsAt = (token: Hex, height: number) =>
        (found.get(token)?.height ?? 0) <= height && knownRoles.get(token) === 'wrapper'
      const issued = await creationTimes(database, [...found.keys()], blocks)
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

/**
 * Contracts that are not tokens log deposits and withdrawals too, and so do tokens that wrap nothing. The role depends only on the
 * contract's own answers and not on earlier blocks, because blocks may come in any order.
 */
function roleOf({ symbol, decimals }: Pick<TokenMetadata, 'symbol' | 'decimals'>): 'wrapper' | 'token' {
  return symbol !== null && decimals !== null ? 'wrapper' : 'token'
}

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

/** When the contracts were created, if that is in these blocks or stored below them. */
async function creationTimes(
  database: Database,
  tokens: readonly Hex[],
  blocks: readonly DerivedBlock[],
): Promise<Map<Hex, number>> {
  const times = new Map<Hex, number>()
  for (const { block, created } of blocks) {
    for (const { address } of created) if (!times.has(address)) times.set(address, block.timestampMs)
  }
  for (const [address, creation] of await contractCreations(database, tokens)) {
    if (creation.txPos !== null && creation.height < blocks[0]!.block.height) times.set(address, creation.timestampMs)
  }
  return times
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
