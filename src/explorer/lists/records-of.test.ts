import { describe, expect, test } from 'vitest'
import { ADDRESSES, blockOf, transactionOf } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { jsonOf } from '../../lib/json/json-text.ts'
import type { ChainNow } from '../state/chain-now.ts'
import type { ChainView } from '../state/chain-view.ts'
import { recordsOf } from './records-of.ts'

const rows = [0, 1, 2].map((index) => ({
  ...transactionOf(5, index, { sender: ADDRESSES[0]!, recipient: ADDRESSES[1]! }),
  block: blockOf(5),
}))
type Row = (typeof rows)[number]
function placeRecord(view: ChainView, { pos }: Row) {
  return { pos, latest: view.heads.latest }
}
function otherRecord(_view: ChainView, { pos }: Row) {
  return { other: pos }
}

describe('records of rows', () => {
  test('are the same again while the chain stands, and made anew of another row, another kind and another chain', async () => {
    const database = await databases[0]!.open()
    const nowAt = (latest: number): ChainNow => ({
      queries: database,
      names: { shortName: 'DEV', fullName: 'Devnet', symbol: 'ETH' },
      heads: { latest, safe: null, finalized: null },
      nowMs: 0,
      challengePeriodMs: 0,
    })
    const now = nowAt(7)
    const records = await recordsOf(now, rows, placeRecord)
    expect(records).toEqual(rows.map(({ pos }) => ({ pos, latest: 7 })))
    const again = await recordsOf(now, rows.slice(1), placeRecord)
    expect(again[0]).toBe(records[1])

    const moved = { ...rows[0]!, pos: 1 }
    expect(await recordsOf(now, [moved], placeRecord)).toEqual([{ pos: 1, latest: 7 }])
    expect(await recordsOf(now, rows, otherRecord)).toEqual(rows.map(({ pos }) => ({ other: pos })))
    const later = await recordsOf(nowAt(8), rows, placeRecord)
    expect(later.map(({ latest }) => latest)).toEqual([8, 8, 8])
    // Spelled twice, the second time from what was kept, and each as itself.
    for (const list of [records, later, later, again]) expect(jsonOf(list)).toBe(JSON.stringify(list))
    await database.close()
  })
})
