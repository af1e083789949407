// npm run judge:op-geth -- [blocks] [seed]
// op-geth executes every block of a devnet run (Jovian, 500 blocks, random transactions) and says whether it is valid; its blocks and
// receipts and its traces must be those of the devnet. The exit code is 1 if anything differs, 2 if Go is missing.
import { rpc, startStillDevnet } from '../test/support/devnet.ts'
import { differingTraces } from '../test/support/judges/compare-traces.ts'
import { differingFields } from '../test/support/judges/differing-fields.ts'
import { feedBlock } from '../test/support/judges/engine-api.ts'
import { createFuzzTraffic } from '../test/support/judges/fuzz-traffic.ts'
import { opGenesis } from '../test/support/judges/genesis-file.ts'
import { startOpGeth } from '../test/support/judges/geth-process.ts'
import { quantity } from '../test/support/node-facts.ts'
import { exitWhenMissing } from './prerequisites.ts'

const [blocks = 500, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const FORK = 'jovian'
const TRANSACTIONS_A_BLOCK = 8
const SIMULATED_TPS = 40
const MOST_SHOWN = 20

const devnet = await startStillDevnet({ tps: SIMULATED_TPS, fork: FORK, seed: `judge ${seed}` })
try {
  const genesis = await opGenesis(devnet.url, FORK)
  const opGeth = await startOpGeth({ genesis, mode: 'default' }).catch(exitWhenMissing)
  try {
    await judge(opGeth)
  } finally {
    await opGeth.stop()
  }
} finally {
  await devnet.stop()
}

async function judge(opGeth: Awaited<ReturnType<typeof startOpGeth>>): Promise<void> {
  const fuzz = createFuzzTraffic({ url: devnet.url, seed, takesDeposits: true })
  const verdicts = new Map<string, number>()
  const differences: string[] = []
  let transactions = 0
  for (let height = 1; height <= blocks; height++) {
    await fuzz.send(TRANSACTIONS_A_BLOCK)
    await rpc(devnet.url, 'devnet_seal')
    const { status, validationError } = await feedBlock(opGeth.engine, devnet.url, height)
    verdicts.set(status, (verdicts.get(status) ?? 0) + 1)
    if (status !== 'VALID') {
      differences.push(`block ${height}: ${status} ${validationError}`)
      break
    }
    const [ours, theirs] = await Promise.all([devnet.url, opGeth.url].map((url) => answersAbout(url, height)))
    transactions += ours!.length - 1
    const traces = await differingTraces(devnet.url, opGeth.url, height)
    differences.push(...[...differingFields(ours, theirs), ...traces].map((field) => `block ${height}: ${field}`))
  }
  for (const difference of differences.slice(0, MOST_SHOWN)) console.log(difference)
  const counted = [...verdicts].map(([status, count]) => `${count} ${status}`).join(', ')
  console.log(`seed ${seed}: ${counted}; ${transactions} transactions, ${differences.length} fields differ`)
  process.exitCode = differences.length === 0 ? 0 : 1
}

/** The block with its transactions, then every receipt. */
async function answersAbout(url: string, height: number): Promise<unknown[]> {
  const [block, receipts] = await Promise.all([
    rpc(url, 'eth_getBlockByNumber', quantity(height), true),
    rpc(url, 'eth_getBlockReceipts', quantity(height)),
  ])
  return [block, ...receipts]
}
