// The filter and block range of a log query.
import type { z } from 'zod'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { logFilterFrom } from '../../src/chain/rpc/log-filter.ts'
import * as wire from '../../src/contract/rpc-params.ts'

export const logCriteria = wire.logCriteria.transform(logFilterFrom)

export const logQuery = wire.logQuery.transform(({ fromBlock, toBlock, blockHash, ...criteria }) => ({
  ...{ fromBlock, toBlock, blockHash: (blockHash ?? null) as Hex | null },
  ...logFilterFrom(criteria),
}))

export type LogQuery = z.output<typeof logQuery>
