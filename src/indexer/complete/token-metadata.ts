// Reads token contracts through the node: name, symbol and decimals once, the supply whenever it may have changed.
import type { Hex } from '../../chain/bytes/hex.ts'
import {
  DECIMALS_CALL,
  decimalsFromAnswer,
  NAME_CALL,
  SYMBOL_CALL,
  TOTAL_SUPPLY_CALL,
  textFromAnswer,
  wordFromAnswer,
} from '../../chain/tokens/token-answers.ts'
import type { SupplyRow } from '../../store/schema/rows.ts'
import type { Node } from '../../upstream/node/node.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { readStateAtOrLatest } from './state-at-block.ts'

export type TokenMetadata = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

type NodeAccess = { readonly node: Pick<Node, 'batch'>; readonly signal: AbortSignal }

const CALLS = [NAME_CALL, SYMBOL_CALL, DECIMALS_CALL]

export async function readTokenMetadata(
  access: NodeAccess,
  firstUses: ReadonlyMap<Hex, { readonly height: number }>,
): Promise<Map<Hex, TokenMetadata>> {
  const queries = [...firstUses].flatMap(([address, { height }]) =>
    CALLS.map((input) => ({ type: 'call' as const, address, height, input })),
  )
  const answers = await readStateAtOrLatest(access, queries)
  const read = <T>(index: number, reader: (answer: Hex) => T): T | null => {
    const answer = answers[index] ?? null
    return answer === null ? null : reader(answer)
  }
  return new Map(
    [...firstUses.keys()].map((token, index) => {
      const first = index * CALLS.length
      return [
        token,
        {
          name: read(first, textFromAnswer),
          symbol: read(first + 1, textFromAnswer),
          decimals: read(first + 2, decimalsFromAnswer),
        },
      ]
    }),
  )
}

/** A token whose supply must be read; `isFirst` if only because the token is new. */
export type SupplyQuery = Pick<SupplyRow, 'token' | 'isFirst'>

/** For each block the supplies that it may have changed; a token that does not answer has no row. */
export async function readSupplies(
  access: NodeAccess,
  blocks: readonly DerivedBlock[],
  changed: readonly (readonly SupplyQuery[])[],
): Promise<SupplyRow[][]> {
  const queries = blocks.flatMap(({ block: { height } }, index) =>
    changed[index]!.map(({ token }) => ({ type: 'call' as const, address: token, height, input: TOTAL_SUPPLY_CALL })),
  )
  const answers = await readStateAtOrLatest(access, queries)
  let next = 0
  return blocks.map(({ block: { height } }, index) =>
    changed[index]!.flatMap((query) => {
      const answer = answers[next++] ?? null
      const supply = answer === null ? null : wordFromAnswer(answer)
      return supply === null ? [] : [{ ...query, height, supply }]
    }),
  )
}
