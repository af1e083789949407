// node scripts/evm-differential.ts [COUNT] [SEED]
// Runs random OP transactions through our engine and through anvil and prints every difference; the exit code is 1 if there is one.

import { compareWithAnvil } from '../test/support/differential/against-anvil.ts'
import { startAnvil } from '../test/support/differential/anvil.ts'
import { CHAIN_ID } from '../test/support/differential/random-chain.ts'
import { freePort } from '../test/support/free-port.ts'

const DEFAULT_COUNT = 5000

const [count = DEFAULT_COUNT, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const anvil = await startAnvil(Number(await freePort()), CHAIN_ID)
try {
  const { transactions, succeeded, deposits, logs, differences } = await compareWithAnvil(anvil, seed, count)
  for (const difference of differences) console.log(difference)
  console.log(`seed ${seed}: ${transactions} transactions (${succeeded} succeeded, ${deposits} deposits, ${logs} logs)`)
  console.log(`${differences.length} differences`)
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  anvil.stop()
}
