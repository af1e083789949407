// npm run judge:revm -- [blocks] [seed] [fork]
// op-revm, the engine of op-reth, executes every transaction of a devnet run (Karst, 500 blocks, random transactions) on its own
// state. Gas, status, logs and changed state must be the devnet's. The exit code is 1 if anything differs, 2 if Rust is missing.
import type { GenesisOptions } from '../devnet/genesis/genesis-state.ts'
import { rpc, startStillDevnet } from '../test/support/devnet.ts'
import { accountChanges } from '../test/support/judges/account-changes.ts'
import { differingFields } from '../test/support/judges/differing-fields.ts'
import { rawTransactions } from '../test/support/judges/engine-api.ts'
import { createFuzzTraffic } from '../test/support/judges/fuzz-traffic.ts'
import { type RevmJudge, type RevmOutcome, startRevmJudge } from '../test/support/judges/revm-judge.ts'
import { quantity } from '../test/support/node-facts.ts'
import { exitWhenMissing } from './prerequisites.ts'

const [blockCount = '500', seedText = String(Date.now() % 2 ** 31), forkName = 'karst'] = process.argv.slice(2)
const [blocks, seed, fork] = [Number(blockCount), Number(seedText), forkName as GenesisOptions['fork']]
const TRANSACTIONS_A_BLOCK = 8
const SIMULATED_TPS = 40
const MOST_SHOWN = 20
/** op-revm 20 does not have Karst's limit of 300 pairs yet: what lies between it and Jovian's 427 is left out. */
const MOST_PAIRS = 300

const devnet = await startStillDevnet({ tps: SIMULATED_TPS, fork, seed: `judge ${seed}` })
try {
  const chainId = Number(await rpc(devnet.url, 'eth_chainId'))
  const revm = await startRevmJudge(chainId, fork).catch(exitWhenMissing)
  try {
    await judge(revm)
  } finally {
    await revm.stop()
  }
} finally {
  await devnet.stop()
}

async function judge(revm: RevmJudge): Promise<void> {
  const fuzz = createFuzzTraffic({ url: devnet.url, seed, takesDeposits: true, mostPairs: MOST_PAIRS })
  const differences: string[] = []
  let transactions = 0
  for (let height = 1; height <= blocks; height++) {
    await fuzz.send(TRANSACTIONS_A_BLOCK)
    await rpc(devnet.url, 'devnet_seal')
    const block = await rpc(devnet.url, 'eth_getBlockByNumber', quantity(height), true)
    const raws = rawTransactions(block)
    const theirs = await revm.execute({
      ...block,
      transactions: block.transactions.map((transaction: object, i: number) => ({ ...transaction, raw: raws[i] })),
    })
    const ours = await outcomesOf(height)
    transactions += ours.length
    for (const [i, outcome] of ours.entries()) {
      const fields = differingFields(outcome, theirs[i])
      if (fields.length === 0) continue
      differences.push(`block ${height}, ${block.transactions[i].hash}:\n  ${fields.join('\n  ')}`)
    }
  }
  for (const difference of differences.slice(0, MOST_SHOWN)) console.log(difference)
  console.log(
    `seed ${seed}: ${blocks} blocks (${fork}), ${transactions} transactions, ${differences.length} differences`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
}

type Receipt = {
  readonly status: string
  readonly gasUsed: string
  readonly logs: readonly { address: `0x${string}`; topics: readonly `0x${string}`[]; data: `0x${string}` }[]
}

/** From the devnet's receipts and the traces of what its transactions changed. */
async function outcomesOf(height: number): Promise<RevmOutcome[]> {
  const tracer = { tracer: 'stateChangesTracer' }
  const [receipts, diffs] = await Promise.all([
    rpc(devnet.url, 'eth_getBlockReceipts', quantity(height)),
    rpc(devnet.url, 'debug_traceBlockByNumber', quantity(height), tracer),
  ])
  return (receipts as Receipt[]).map(({ status, gasUsed, logs }, i) => ({
    gasUsed: Number(gasUsed),
    succeeded: status === '0x1',
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    changes: accountChanges(diffs[i].result),
  }))
}
