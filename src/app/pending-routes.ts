// Where JSON-RPC and the feed are served, and who is let in: none of it needs the database, unless keys are asked for.
import type { FastifyInstance } from 'fastify'
import type { KeyRing } from '../access/key-ring.ts'
import type { OnKeyUse } from '../http/admission/admission.ts'
import { addRpcRoutes } from '../http/rpc/rpc.ts'
import { createKeyCheck } from '../http/rpc/rpc-keys.ts'
import { addRelay } from '../http/sockets/relay.ts'
import { addRpcSocket } from '../http/sockets/rpc-socket.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { localAddressLimit } from './access.ts'
import type { Config } from './options.ts'
import type { PendingPart } from './pending-part.ts'

export function addPendingRoutes(
  app: FastifyInstance,
  { rpc, hub }: PendingPart,
  {
    config,
    keyRing,
    onKeyUse,
    metrics,
    log,
  }: { config: Config; keyRing: KeyRing; onKeyUse: OnKeyUse; metrics: Metrics; log: Log },
): void {
  const isKey = async (key: string) => (await keyRing.find(key)) !== undefined
  const door = {
    admission: { limitAddress: localAddressLimit(config) },
    admitKey: config.RPC_KEYS_REQUIRED ? createKeyCheck(isKey, onKeyUse) : undefined,
    limits: { total: config.RELAY_MAX_SUBSCRIBERS, perAddress: config.RELAY_MAX_PER_IP },
    metrics,
  }
  if (config.ROLES.includes('rpc')) {
    addRpcRoutes(app, { ...door, answer: rpc.answer, log })
    addRpcSocket(app, { ...door, rpc })
  }
  const readersPage = config.ROLES.includes('web') ? '/flashblock' : undefined
  if (config.ROLES.includes('relay')) addRelay(app, { ...door, hub, readersPage })
}
