// npm run nodes -- [blocks] [node ...]
// Runs the product over nodes of other people with the same traffic (devnet, op-geth with and without archive, geth --dev, anvil), asks
// every endpoint from E1 to E19 and compares with what the node says. The exit code is 1 if an answer is wrong and not marked, 2 if Go
// is missing.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIndexedServer } from '../test/support/indexed-server.ts'
import { readNodeFacts } from '../test/support/node-facts.ts'
import { compareAnswers } from '../test/support/nodes/compare-answers.ts'
import { questionsAbout } from '../test/support/nodes/expected-answers.ts'
import { FUNDED, type NodeName, nodeNames, type StoodStill, startNode } from '../test/support/nodes/start-node.ts'
import { exitWhenMissing } from './prerequisites.ts'

const DEFAULT_BLOCKS = 160
const MOST_SHOWN = 30

const [first, ...others] = process.argv.slice(2)
const blocks = Number(first ?? DEFAULT_BLOCKS)
const names = others.length > 0 ? nodeNames.filter((name) => others.includes(name)) : nodeNames

for (const name of names) {
  const node = await startNode(name, blocks).catch(exitWhenMissing)
  try {
    await compare(name, node)
  } finally {
    await node.stop()
  }
}

async function compare(name: NodeName, { url, factsUrl }: StoodStill): Promise<void> {
  const facts = await readNodeFacts(factsUrl, FUNDED)
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-nodes-'))
  const server = await startIndexedServer(url, { url: undefined, dataDir })
  try {
    const { compared, equal, marked, wrong, kinds, endpoints } = await compareAnswers(
      questionsAbout(server.client, facts),
    )
    for (const [kind, { count, example }] of [...kinds].slice(0, MOST_SHOWN)) {
      console.log(`  ${count} x ${kind}: ${example}`)
    }
    console.log(
      `${name}: ${facts.blocks.length} blocks, ${facts.transactions.length} transactions, ${endpoints.size} endpoints, ` +
        `${compared} answers compared, ${equal} equal, ${marked} marked, ${wrong} wrong`,
    )
    if (wrong > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
