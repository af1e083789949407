// The program of the pending thread: the service, with what goes in and out of it as messages.
import { parentPort, workerData } from 'node:worker_threads'
import { createWorkerLog } from '../../lib/log.ts'
import { createConnections } from './connections.ts'
import { createOutbox } from './outbox.ts'
import { startPendingService } from './pending-service.ts'
import type { FromWorker, ToWorker, WorkerInput } from './worker-messages.ts'

const STATUS_EVERY_MS = 250

const { options, logLevel } = workerData as WorkerInput
const parent = parentPort!
function tell(message: FromWorker) {
  return parent.postMessage(message)
}

const service = startPendingService(options, {
  log: createWorkerLog(logLevel, (line) => tell({ type: 'log', line })),
  onFlashblock: (flashblock, receivedMs) => tell({ type: 'flashblock', flashblock, receivedMs }),
  onProcessed: (ms) => tell({ type: 'processed', ms }),
  onLedgerEvents: (events) => tell({ type: 'ledger', events }),
})
function tellStatus() {
  return tell({ type: 'status', status: service.status() })
}
const telling = setInterval(tellStatus, STATUS_EVERY_MS)
const connections = createConnections(
  service,
  createOutbox((told) => tell({ type: 'clients', told })),
)
parent.on('message', (message: ToWorker) => {
  if (message.type === 'stop') service.stop()
  else connections.take(message)
})
try {
  await service.ended
} finally {
  clearInterval(telling)
  parent.close()
}
