// Which logs a client asks for, and of which blocks.
import type { z } from 'zod'
import type { Hex } from '../../chain/hex.ts'
import { criteriaOf } from '../../chain/log-criteria.ts'
import * as wire from '../../contract/rpc-params.ts'

export const logCriteria = wire.logCriteria.transform(criteriaOf)

export const logQuery = wire.logQuery.transform(({ fromBlock, toBlock, blockHash, ...criteria }) => ({
  ...{ fromBlock, toBlock, blockHash: (blockHash ?? null) as Hex | null },
  ...criteriaOf(criteria),
}))

export type LogQuery = z.output<typeof logQuery>
