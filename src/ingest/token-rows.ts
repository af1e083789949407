// Tokens that blocks are the first to show, their supplies, and the balance changes that only their kind of contract makes (wrapping).
import type { Hex } from '../chain/hex.ts'
import { createLru } from '../lib/lru.ts'
import type { Database } from '../store/database.ts'
import { contractCreations } from '../store/read/contracts.ts'
import { tokensAmong } from '../store/read/tokens.ts'
import type { BlockRows, TokenKind, TokenRow } from '../store/rows.ts'
import type { Node } from '../upstream/node.ts'
import type { DerivedBlock } from './derive.ts'
import { TokenDeltas } from './token-deltas.ts'
import { supplyAnswers, type TokenAnswers, tokenAnswers } from './token-questions.ts'

export type TokenSight = {
  rowsOf(blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<TokenRows[]>
}

export type TokenRows = Pick<BlockRows, 'tokens' | 'supplies' | 'tokenDeltas'>

export type TokenSightOptions = { readonly node: Pick<Node, 'batch'>; readonly database: Database }

const ADDRESSES_KEPT = 50_000

type Verdict = 'token' | 'other'
type IsTokenAt = (token: Hex, height: number) => boolean

export function createTokenSight({ node, database }: TokenSightOptions): TokenSight {
  const kept = createLru<Hex, Verdict>(ADDRESSES_KEPT)

  /** First sights in these blocks of what is not yet known as a token: of contracts that move tokens, and of those that wrap before. */
  const newSights = async (blocks: readonly DerivedBlock[]) => {
    const moving = new Map<Hex, Sight>()
    const wrapping = new Map<Hex, Sight>()
    for (const { block, tokens, wrapped } of blocks) {
      const { height, timestampMs } = block
      for (const [token, { kind }] of tokens) {
        if (kept.get(token) !== 'token' && !moving.has(token)) moving.set(token, { height, timestampMs, kind })
      }
      for (const { token } of wrapped) {
        const isNew = kept.get(token) === undefined && !moving.has(token) && !wrapping.has(token)
        if (isNew) wrapping.set(token, { height, timestampMs, kind: 20 })
      }
    }
    const all = [...new Set([...moving.keys(), ...wrapping.keys()])]
    for (const token of await tokensAmong(database, all, blocks[0]!.block.height)) {
      moving.delete(token)
      wrapping.delete(token)
      kept.set(token, 'token')
    }
    return { moving, wrapping }
  }

  /** The new tokens among them: whatever moves tokens, and before that what wraps and answers like a token. */
  const newTokens = async (blocks: readonly DerivedBlock[], signal: AbortSignal): Promise<Map<Hex, NewToken>> => {
    const { moving, wrapping } = await newSights(blocks)
    const found = new Map<Hex, NewToken>()
    for (const [token, answers] of await tokenAnswers({ node, signal }, wrapping)) {
      if (isTokenLike(answers)) found.set(token, { ...wrapping.get(token)!, ...answers })
      else kept.set(token, 'other')
    }
    for (const token of found.keys()) moving.delete(token)
    for (const [token, answers] of await tokenAnswers({ node, signal }, moving)) {
      found.set(token, { ...moving.get(token)!, ...answers })
    }
    for (const token of found.keys()) kept.set(token, 'token')
    return found
  }

  return {
    async rowsOf(blocks, signal) {
      const found = await newTokens(blocks, signal)
      const isTokenAt = (token: Hex, height: number) =>
        (found.get(token)?.height ?? 0) <= height && kept.get(token) === 'token'
      const issued = await creationTimes(database, [...found.keys()], blocks)
      const changed = blocks.map((block) => tokensWithNewSupply(block, isTokenAt, found))
      const supplies = await supplyAnswers({ node, signal }, blocks, changed)
      return blocks.map((block, index) => ({
        tokens: [...found]
          .filter(([, { height }]) => height === block.block.height)
          .map(([address, token]) => tokenRow(address, token, issued.get(address))),
        supplies: supplies[index]!,
        tokenDeltas: deltasOf(block, isTokenAt),
      }))
    },
  }
}

type Sight = { readonly height: number; readonly timestampMs: number; readonly kind: TokenKind }
type NewToken = Sight & TokenAnswers

/** Contracts that are no tokens tell of deposits and withdrawals too. */
const isTokenLike = ({ symbol, decimals, hasSupply }: TokenAnswers): boolean =>
  symbol !== null && decimals !== null && hasSupply

const tokenRow = (
  address: Hex,
  { kind, height, timestampMs, name, symbol, decimals }: NewToken,
  issuedMs = timestampMs,
): TokenRow => ({ address, kind, height, issuedMs, name, symbol, decimals })

/** When the contracts were created, as far as that was seen: in these blocks or below them. */
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
  isTokenAt: IsTokenAt,
  found: ReadonlyMap<Hex, Sight>,
): Hex[] {
  const changed = new Set<Hex>()
  for (const [token, { changesSupply }] of tokens) {
    if (changesSupply || found.get(token)?.height === block.height) changed.add(token)
  }
  for (const { token } of wrapped) if (isTokenAt(token, block.height)) changed.add(token)
  return [...changed]
}

function deltasOf({ block, tokenDeltas, wrapped }: DerivedBlock, isTokenAt: IsTokenAt) {
  const counted = wrapped.filter(({ token }) => isTokenAt(token, block.height))
  if (counted.length === 0) return tokenDeltas
  const all = new TokenDeltas(block.height)
  for (const { delta, ...place } of [...tokenDeltas, ...counted]) all.add(place, delta)
  return all.rows()
}
