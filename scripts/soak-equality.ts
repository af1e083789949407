// Compares preconfirmed with sealed transactions over many blocks of a busy devnet: `node scripts/soak-equality.ts [blocks] [tps]`.
import { startStillDevnet } from '../test/support/devnet.ts'
import { compareWithSealed } from '../test/support/equality.ts'
import { startPendingServer } from '../test/support/pending-server.ts'

const blocks = Number(process.argv[2] ?? 500)
const tps = Number(process.argv[3] ?? 100)
const FLASHBLOCKS = 5
const FLASHBLOCK_MS = 200

const devnet = await startStillDevnet({ tps, blockMs: FLASHBLOCKS * FLASHBLOCK_MS, flashblockMs: FLASHBLOCK_MS })
const feed = { nodeUrl: devnet.url, feedUrl: devnet.feedUrl }
const server = await startPendingServer(feed, { FLASHBLOCKS_STALE_MS: '600000' })
try {
  await server.until(({ preconfirmations }) => preconfirmations.feed?.upstreams[0]?.isConnected === true)
  const urls = { url: `${server.url}/flashblocks`, nodeUrl: devnet.url }
  const report = await compareWithSealed(urls, { blocks, flashblocks: FLASHBLOCKS, flashblockMs: FLASHBLOCK_MS })
  const { transactions, answers, missed, differences } = report
  for (const difference of differences.slice(0, 20)) console.log(difference)
  console.log(
    `${report.blocks} blocks, ${transactions} transactions, ${answers} answers compared, ${differences.length} differ; ${missed} blocks missed`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  await server.stop()
  await devnet.stop()
}
