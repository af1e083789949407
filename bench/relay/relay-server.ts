// The relay of this project, in a process of its own so that its CPU time can be measured.
import type { FlashblockMessage } from '../../src/contract/flashblock.ts'
import { createApp } from '../../src/http/app.ts'
import { addRelay } from '../../src/http/sockets/relay.ts'
import { createLog } from '../../src/lib/log.ts'
import { createMetrics } from '../../src/lib/metrics.ts'
import { createHub } from '../../src/relay/hub.ts'
import { outgoingText } from '../../src/relay/outgoing-flashblock.ts'
import { hexText, serveBlasts } from './protocol.ts'

const PLACES = 20_000
const FLASHBLOCKS_A_BLOCK = 10
const FIRST_BLOCK = 1_000_000
const HOUR_MS = 3_600_000

const hub = createHub()
const metrics = createMetrics()
const log = createLog({ level: 'warn', pretty: false })
const app = createApp({ log, metrics, trustedProxies: [], maxConnections: PLACES })
const limits = { total: PLACES, perAddress: PLACES }
addRelay(app, { hub, metrics, limits, admission: { limitAddress: async () => undefined }, pingMs: HOUR_MS })
const port = Number(process.argv[2])
await app.listen({ host: '127.0.0.1', port, backlog: 4_096 })

const word = `0x${'00'.repeat(32)}`
let block = FIRST_BLOCK

serveBlasts(({ messages, bytes }) => {
  const flashblocks = Array.from({ length: messages }, (_, message): FlashblockMessage => {
    const index = message % FLASHBLOCKS_A_BLOCK
    if (index === 0) block++
    return {
      payload_id: `0x${block.toString(16).padStart(16, '0')}`,
      index,
      base: null,
      diff: {
        block_hash: word,
        gas_used: '0x1',
        logs_bloom: '0x',
        receipts_root: word,
        state_root: word,
        transactions: [`0x${hexText(bytes)}`],
        withdrawals: [],
        withdrawals_root: word,
      },
      metadata: { block_number: block },
    }
  })
  const headBytes = bytes < 2 ** 16 ? 4 : 10
  return {
    frameBytes: flashblocks.map((flashblock) => headBytes + textBytes(flashblock)),
    send: (message) => hub.publish(outgoingText(flashblocks[message]!)),
  }
})

/** Without the base, which is null. */
function textBytes({ base, ...sent }: FlashblockMessage): number {
  return JSON.stringify(sent).length
}
