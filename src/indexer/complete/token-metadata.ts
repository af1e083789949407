// What tokens are asked: once who they are, and their supply whenever it may have changed.
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

type Asked = { readonly node: Pick<Node, 'batch'>; readonly signal: AbortSignal }

const CALLS = [NAME_CALL, SYMBOL_CALL, DECIMALS_CALL]

export async function readTokenMetadata(
  asked: Asked,
  sights: ReadonlyMap<Hex, { readonly height: number }>,
): Promise<Map<Hex, TokenMetadata>> {
  const questions = [...sights].flatMap(([address, { height }]) =>
    CALLS.map((input) => ({ type: 'call' as const, address, height, input })),
  )
  const answers = await readStateAtOrLatest(asked, questions)
  const read = <T>(index: number, reader: (answer: Hex) => T): T | null => {
    const answer = answers[index] ?? null
    return answer === null ? null : reader(answer)
  }
  return new Map(
    [...sights.keys()].map((token, index) => {
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

/** A token whose supply is to be asked for, and whether only because it is new. */
export type SupplyQuery = Pick<SupplyRow, 'token' | 'isFirst'>

/** Of each block the supplies that it may have changed; a token that does not tell has no row. */
export async function readSupplies(
  asked: Asked,
  blocks: readonly DerivedBlock[],
  changed: readonly (readonly SupplyQuery[])[],
): Promise<SupplyRow[][]> {
  const questions = blocks.flatMap(({ block: { height } }, index) =>
    changed[index]!.map(({ token }) => ({ type: 'call' as const, address: token, height, input: TOTAL_SUPPLY_CALL })),
  )
  const answers = await readStateAtOrLatest(asked, questions)
  let next = 0
  return blocks.map(({ block: { height } }, index) =>
    changed[index]!.flatMap((question) => {
      const answer = answers[next++] ?? null
      const supply = answer === null ? null : wordFromAnswer(answer)
      return supply === null ? [] : [{ ...question, height, supply }]
    }),
  )
}
