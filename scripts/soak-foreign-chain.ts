// npm run soak:foreign-chain -- [blocks] [transactions a second]
// Follows 1,000 blocks of 200 ms of a chain with rules of its own (transaction type 0x7d, a token without code), then compares every
// answer with the node. The exit code is 1 if the index was ever more than a second behind, or an answer is wrong and not marked.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODELESS_TOKEN, compareWithNode, followForeignChain } from '../test/support/foreign-chain.ts'

const MAX_LAG_MS = 1_000
const MOST_SHOWN = 30

const [blocks = '1000', tps = '15'] = process.argv.slice(2)
const chain = await followForeignChain({
  blocks: Number(blocks),
  tps: Number(tps),
  dataDir: mkdtempSync(join(tmpdir(), 'firstlight-foreign-')),
})
try {
  const lags = chain.lagsMs.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(lags[Math.floor(share * (lags.length - 1))]!)
  const { transactions, transfers } = chain.facts
  const foreign = transactions.filter(({ raw }) => raw.type === '0x7d').length
  const codeless = transfers.filter(({ token }) => token === CODELESS_TOKEN).length
  console.log(`${lags.length} blocks followed, ${transactions.length} transactions, ${foreign} of type 0x7d`)
  console.log(`${codeless} transfers of the token without code`)
  console.log(`lag: ${at(0.5)} ms usual, ${at(0.99)} ms at the 99th percentile, ${at(1)} ms at most`)
  const { lists, compared, equal, marked, wrong, kinds } = await compareWithNode(chain)
  for (const [kind, { count, example }] of [...kinds].slice(0, MOST_SHOWN))
    console.log(`  ${count} x ${kind}: ${example}`)
  console.log(`${lists} lists in order, ${compared} answers compared, ${equal} equal, ${marked} marked, ${wrong} wrong`)
  process.exitCode = at(1) > MAX_LAG_MS || wrong > 0 || lags.length < Number(blocks) ? 1 : 0
} finally {
  await chain.stop()
}
