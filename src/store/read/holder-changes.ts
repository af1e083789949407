// What holders gained or lost of a token since a height. The history of balances has no index by holder, since every block would pay for
// one. A holder's transfers, and the Deposit and Withdrawal events of a wrapped native token, give the heights where a balance changed;
// the history at those heights gives the amounts.
import type { Hex } from '../../chain/bytes/hex.ts'
import { DEPOSIT, WITHDRAWAL } from '../../chain/tokens/wrapped-native.ts'
import type { Queries } from '../engine/database.ts'
import { heightOf, positionOf } from '../schema/position.ts'
import { TOKEN_KINDS } from '../schema/rows.ts'
import { hexToStored } from '../schema/table.ts'
import { ACTIVITY_KINDS, tokenHistory } from '../schema/tables.ts'

/** With more transfers of a holder, or more wrapping events of a token, the change is not computed: it would read too much. */
export const MOST_LOOKED_AT = 5_000

type Since = { readonly token: Hex; readonly from: number }

/** Undefined for holders with more than MOST_LOOKED_AT transfers. */
export async function tokenChangesSince(
  queries: Queries,
  since: Since,
  holders: readonly Hex[],
): Promise<Map<Hex, bigint | undefined>> {
  const wrapped = await wrappingsSince(queries, since)
  if (wrapped === undefined) return new Map(holders.map((holder) => [holder, undefined]))
  const changes = await Promise.all(
    holders.map(async (holder) => {
      const positions = await transfersSince(queries, since, holder)
      if (positions.length > MOST_LOOKED_AT) return undefined
      return sumAt(queries, { token: since.token, holder }, [...positions, ...(wrapped.get(holder) ?? [])])
    }),
  )
  return new Map(holders.map((holder, i) => [holder, changes[i]]))
}

/** Primary key of activity. One contract may emit transfer events of several token standards. */
async function transfersSince(queries: Queries, { token, from }: Since, holder: Hex): Promise<number[]> {
  const kinds = TOKEN_KINDS.map((kind) => ACTIVITY_KINDS.indexOf(kind)).join(', ')
  const rows = await queries.all<{ pos: number }>(
    `select pos
     from activity
     where address = $1 and kind in (${kinds}) and pos >= $2 and token = $3
     limit ${MOST_LOOKED_AT + 1}`,
    [hexToStored(holder), positionOf(from, 0), hexToStored(token)],
  )
  return rows.map(({ pos }) => pos)
}

/** Positions by holder. Index logs_topic. */
async function wrappingsSince(queries: Queries, { token, from }: Since): Promise<Map<Hex, number[]> | undefined> {
  const byHolder = new Map<Hex, number[]>()
  for (const event of [DEPOSIT, WITHDRAWAL]) {
    const rows = await queries.all<{ pos: number; topic1: string }>(
      `select pos, lower(hex(topic1)) as topic1
       from logs
       where address = $1 and topic0 = $2 and pos >= $3
       limit ${MOST_LOOKED_AT + 1}`,
      [hexToStored(token), hexToStored(`0x${event.toString(16)}`), positionOf(from, 0)],
    )
    if (rows.length > MOST_LOOKED_AT) return undefined
    for (const { pos, topic1 } of rows) {
      const holder: Hex = `0x${topic1.slice(-ADDRESS_DIGITS)}`
      const positions = byHolder.get(holder)
      if (positions) positions.push(pos)
      else byHolder.set(holder, [pos])
    }
  }
  return byHolder
}

const ADDRESS_DIGITS = 40

/** Primary key of token_history. */
async function sumAt(
  queries: Queries,
  { token, holder }: { token: Hex; holder: Hex },
  positions: readonly number[],
): Promise<bigint> {
  const heights = new Set(positions.map(heightOf))
  if (heights.size === 0) return 0n
  const keys = [...heights].map((height) => [height, hexToStored(token), hexToStored(holder)])
  const rows = await queries.lookup(tokenHistory, tokenHistory.select(['delta']), ['height', 'token', 'address'], keys)
  return rows.reduce((sum, row) => sum + tokenHistory.decode(row, ['delta']).delta, 0n)
}
