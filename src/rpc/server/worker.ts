// The program of the pending worker: an inline channel, whose requests, answers and events travel as messages.
import { runWorker } from '../../lib/thread/run-worker.ts'
import { startInlineChannel } from './inline-channel.ts'
import { createWorkerClients } from './worker-clients.ts'
import { createOutbox, type PendingWorker } from './worker-messages.ts'

const STATUS_EVERY_MS = 250

await runWorker<PendingWorker>(async ({ input, log, stopRequested, post, onMessage }) => {
  const { promise: died, reject: onDeath } = Promise.withResolvers<never>()
  const channel = startInlineChannel(input, {
    log,
    onFlashblock: (flashblock) => post({ type: 'flashblock', flashblock }),
    onProcessed: (ms) => post({ type: 'processed', ms }),
    onLedgerEvents: (events) => post({ type: 'ledger', events }),
    onDeath,
  })
  const statusTimer = setInterval(() => post({ type: 'status', status: channel.status() }), STATUS_EVERY_MS)
  onMessage(
    createWorkerClients(
      channel,
      createOutbox((messages) => post({ type: 'toClients', messages })),
    ),
  )
  try {
    await Promise.race([stopRequested, died])
  } finally {
    clearInterval(statusTimer)
    await channel.stop()
  }
})
