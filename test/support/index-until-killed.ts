// The program of a process that indexes until it is killed: `index-until-killed.ts <url> <data folder> [database url] [most behind]`.

import { runIndexer } from '../../src/indexer/indexer.ts'
import { createLog } from '../../src/lib/log.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { createNode } from '../../src/upstream/node/node.ts'

const [url = '', dataDir = '', databaseUrl, mostBehind] = process.argv.slice(2)
const log = createLog({ level: 'warn', pretty: false })
const database = await openDatabase({ url: databaseUrl || undefined, dataDir, onIdleError: () => {} })
const node = createNode({ urls: [url], log, pollMs: 20 })
const options = {
  node,
  database,
  log,
  startHeight: 0,
  balanceSamples: 0,
  tokenReadsPerS: 0,
  genesis: null,
  onProgress: () => {},
}
console.log('indexing')
await runIndexer({ ...options, ...(mostBehind && { mostBehind: Number(mostBehind) }) }, new AbortController().signal)
