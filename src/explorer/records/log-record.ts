import type { DataOf } from '../../contract/endpoint.ts'
import type { Endpoints } from '../../contract/endpoints.ts'
import type { ShownLog } from '../../store/read/logs.ts'
import { heightOf, indexOf } from '../../store/schema/position.ts'
import { methodIdOf } from './parts.ts'

/** E17 to E19. The method is that of the whole transaction. */
export function logRecord(log: ShownLog): DataOf<Endpoints['logsByAddress']>[number] {
  return {
    blockHash: log.blockHash,
    height: String(heightOf(log.pos)),
    transactionTime: String(log.timestampMs),
    address: log.address,
    topics: [...log.topics],
    data: log.data,
    methodId: methodIdOf(log.method),
    logIndex: String(indexOf(log.pos)),
    txId: log.transactionHash,
  }
}
