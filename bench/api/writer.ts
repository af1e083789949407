// The indexing side of bench/api.bench.ts: a block a second at the head, as a busy chain gives them.
import { setTimeout as sleep } from 'node:timers/promises'
import { writeChain } from '../../src/store/chain/write.ts'
import { openDatabase } from '../../src/store/engine/open.ts'
import { chainState } from '../../src/store/read/chain-state.ts'
import { blockRowsAt } from './chain.ts'

const EVERY_MS = 1_000

const database = await openDatabase({ url: undefined, dataDir: process.argv[2]!, onIdleError: () => {} })
let height = (await chainState(database)).head!.height
process.send!('ready')
for (;;) {
  height += 1
  await writeChain(database, { blocks: [blockRowsAt(height)] })
  await sleep(EVERY_MS)
}
