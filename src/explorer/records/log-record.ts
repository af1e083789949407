import { indexOf } from '../../store/position.ts'
import type { InTransaction } from '../../store/read/in-chain.ts'
import type { LogRow } from '../../store/rows.ts'
import { methodIdOf, placeOf } from './parts.ts'

/** E17 to E19. The method is that of the whole transaction. */
export const logRecord = (row: InTransaction<LogRow>) => ({
  ...placeOf(row),
  address: row.address,
  topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
  data: row.data,
  methodId: methodIdOf(row.transaction.method),
  logIndex: String(indexOf(row.pos)),
  txId: row.transaction.hash,
})
