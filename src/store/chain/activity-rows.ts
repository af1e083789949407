// Which addresses took part in what: one row for each address and position. The rows are sorted by the primary key, so that the pages of
// the table fill in order.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { BlockRows } from '../schema/rows.ts'
import { ACTIVITY_KINDS, type ActivityKind, type ActivityRow, FROM, TO } from '../schema/tables.ts'

export function activityOf(
  blocks: readonly Pick<BlockRows, 'transactions' | 'internals' | 'transfers'>[],
): ActivityRow[] {
  const entries: ActivityRow[] = []
  const add = (kind: ActivityKind, pos: number, parties: Parties, token: Hex | null) => {
    for (const [address, role] of rolesOf(parties)) entries.push({ address, kind, pos, role, token })
  }
  for (const { transactions, internals, transfers } of blocks) {
    for (const row of transactions) {
      add('transaction', row.pos, { sender: row.sender, recipient: row.recipient ?? row.contractAddress }, null)
    }
    for (const row of internals) add('internal', row.pos, row, null)
    for (const row of transfers) add(row.kind, row.pos, row, row.token)
  }
  return entries.sort(byKey)
}

type Parties = { readonly sender: Hex; readonly recipient: Hex | null }

function rolesOf({ sender, recipient }: Parties): [Hex, number][] {
  if (recipient === null) return [[sender, FROM]]
  if (recipient === sender) return [[sender, FROM + TO]]
  return [
    [sender, FROM],
    [recipient, TO],
  ]
}

function byKey(a: ActivityRow, b: ActivityRow): number {
  if (a.address !== b.address) return a.address < b.address ? -1 : 1
  return ACTIVITY_KINDS.indexOf(a.kind) - ACTIVITY_KINDS.indexOf(b.kind) || a.pos - b.pos
}
