// npm run nodes -- [blocks] [node ...]
// Runs the product over nodes of other people with the same traffic (devnet, op-geth with and without archive, geth --dev, anvil), asks
// every endpoint from E1 to E19 and compares with what the node says. The exit code is 1 if an answer is wrong and not marked, 2 if Go
// is missing.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startIndexedServer } from '../test/support/indexed-server.ts'
import { quantity, readNodeFacts } from '../test/support/node-facts.ts'
import { compareAnswers } from '../test/support/nodes/compare-answers.ts'
import { questionsAbout } from '../test/support/nodes/expected-answers.ts'
import { FUNDED, type NodeName, nodeNames, type StoodStill, startNode } from '../test/support/nodes/start-node.ts'
import { exitWhenMissing } from './prerequisites.ts'

/** More than twice the 128 states that op-geth has by default: between them and genesis lie blocks that it cannot trace. */
const DEFAULT_BLOCKS = 400
const MOST_SHOWN = 30
/** Fast enough that every token is compared with its contract before anybody asks. */
const TOKEN_READS_PER_S = '500'
const BALANCES = { E3a: 'balances of addresses', E12: 'native balances', E12a: 'token balances' }
/** A node that has little state executes many blocks again to trace an old one. */
const INDEX_TIMEOUT_MS = 900_000
const SETTLE_TIMEOUT_MS = 300_000
const POLL_MS = 500

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

async function compare(name: NodeName, { url, factsUrl, sizeOf }: StoodStill): Promise<void> {
  const facts = await readNodeFacts(factsUrl, FUNDED)
  if (sizeOf) for (const { raw } of facts.blocks) raw.size = quantity(sizeOf(raw as never))
  const dataDir = mkdtempSync(join(tmpdir(), 'firstlight-nodes-'))
  const server = await startIndexedServer(
    url,
    { url: undefined, dataDir, indexTimeoutMs: INDEX_TIMEOUT_MS },
    { TOKEN_READS_PER_S },
  )
  try {
    await untilSettled(server.url)
    const { byEndpoint, kinds, ...all } = await compareAnswers(questionsAbout(server.client, facts))
    for (const [kind, { count, example }] of [...kinds].slice(0, MOST_SHOWN)) {
      console.log(`  ${count} x ${kind}: ${example}`)
    }
    for (const [endpoint, what] of Object.entries(BALANCES)) {
      const { compared, equal } = byEndpoint.get(endpoint)!
      console.log(`  ${endpoint}, ${what}: ${equal} of ${compared} equal`)
    }
    for (const [endpoint, { compared, marked }] of byEndpoint) {
      if (marked > 0) console.log(`  ${endpoint}: ${marked} of ${compared} marked as not exact or not complete`)
    }
    console.log(
      `${name}: ${facts.blocks.length} blocks, ${facts.transactions.length} transactions, ${byEndpoint.size} endpoints, ` +
        `${all.compared} answers compared, ${all.equal} equal, ${all.marked} marked, ${all.wrong} wrong`,
    )
    if (all.wrong > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}

type Settling = {
  readonly index: {
    readonly repair: {
      readonly balances: { readonly state: string; readonly unknown: number }
      readonly traces: { readonly blocks: number; readonly ended: string | null }
    }
    readonly tokens: { readonly waiting: number }
  }
}

/** What is put right in the background is right, or will not be: nothing is left to do. */
async function untilSettled(url: string): Promise<void> {
  const giveUpMs = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const status = (await (await fetch(`${url}/status`)).json()) as Settling
    const { repair, tokens } = status.index
    const areBalancesRead = repair.balances.state === 'done' && repair.balances.unknown === 0
    const areTracesRead = repair.traces.blocks === 0 || repair.traces.ended !== null
    if (areBalancesRead && areTracesRead && tokens.waiting === 0) return
    if (Date.now() > giveUpMs) throw new Error(`not settled in time: ${JSON.stringify(status.index)}`)
    await sleep(POLL_MS)
  }
}
