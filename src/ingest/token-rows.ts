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

  /** First sights in these blocks of what may be a token and is not yet known as one. */
  const newSights = async (blocks: readonly DerivedBlock[]): Promise<Map<Hex, Sight>> => {
    const sights = new Map<Hex, Sight>()
    for (const { block, tokens, wrapped } of blocks) {
      const { height, timestampMs } = block
      for (const [token, { kind }] of tokens) {
        // What was taken for no token because it wrapped something is one after all.
        if (kept.get(token) !== 'token' && sights.get(token)?.isSure !== true) {
          sights.set(token, { height, timestampMs, kind, isSure: true })
        }
      }
      for (const { token } of wrapped) {
        if (kept.get(token) === undefined && !sights.has(token)) {
          sights.set(token, { height, timestampMs, kind: 20, isSure: false })
        }
      }
    }
    const known = await tokensAmong(database, [...sights.keys()], blocks[0]!.block.height)
    for (const token of known) {
      sights.delete(token)
      kept.set(token, 'token')
    }
    return sights
  }

  return {
    async rowsOf(blocks, signal) {
      const sights = await newSights(blocks)
      const answers = await tokenAnswers({ node, signal }, sights)
      const verdicts = new Map([...sights].map(([token, sight]) => [token, verdictOn(sight, answers.get(token)!)]))
      for (const [token, verdict] of verdicts) kept.set(token, verdict)
      const isTokenAt = (token: Hex, height: number) =>
        (sights.get(token)?.height ?? 0) <= height && kept.get(token) === 'token'

      const found = [...sights.keys()].filter((token) => verdicts.get(token) === 'token')
      const issued = await creationTimes(database, found, blocks)
      const changed = blocks.map((block) => tokensWithNewSupply(block, isTokenAt, sights))
      const supplies = await supplyAnswers({ node, signal }, blocks, changed)
      return blocks.map((block, index) => ({
        tokens: found
          .filter((token) => sights.get(token)!.height === block.block.height)
          .map((token) => tokenRow(token, sights.get(token)!, { ...answers.get(token)!, issuedMs: issued.get(token) })),
        supplies: supplies[index]!,
        tokenDeltas: deltasOf(block, isTokenAt),
      }))
    },
  }
}

export type Sight = {
  readonly height: number
  readonly timestampMs: number
  readonly kind: TokenKind
  /** It moved tokens; otherwise it only wraps something, as contracts do that are no tokens. */
  readonly isSure: boolean
}

const verdictOn = ({ isSure }: Sight, { symbol, decimals, hasSupply }: TokenAnswers): Verdict =>
  isSure || (symbol !== null && decimals !== null && hasSupply) ? 'token' : 'other'

const tokenRow = (
  address: Hex,
  { kind, height, timestampMs }: Sight,
  { name, symbol, decimals, issuedMs = timestampMs }: TokenAnswers & { issuedMs: number | undefined },
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
  sights: ReadonlyMap<Hex, Sight>,
): Hex[] {
  const changed = new Set<Hex>()
  for (const [token, { changesSupply }] of tokens) {
    if (changesSupply || sights.get(token)?.height === block.height) changed.add(token)
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
