// Nodes that cannot say everything: one with recent state only, one without traces, one that stumbles for a while. However little they
// say, every native balance at the head ends as the node has it, and nothing is zero because nobody answered.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import type { GenesisAccount } from '../../src/chain/rules/genesis.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { chainState } from '../../src/store/read/chain-state.ts'
import { contractsBefore } from '../../src/store/read/contracts.ts'
import { nativeBalances } from '../../src/store/schema/tables.ts'
import { type Bend, type NodeProxy, startProxy } from '../../src/upstream/node/proxy-for-tests.ts'
import { databases } from '../support/databases.ts'
import { rpc } from '../support/devnet.ts'
import { dumpAll } from '../support/dump.ts'
import { type Indexer, startIndexer } from '../support/indexer.ts'
import { type LivingChain, PREPARE_TIMEOUT_MS, startLivingChain } from '../support/living-chain.ts'
import { expectSameDump } from '../support/same-dump.ts'

const BLOCKS = 40
/** States of this many blocks below the head are there. */
const DEPTH = 8
const REPAIR_TIMEOUT_MS = 60_000

let chain: LivingChain
let head: { readonly height: number; readonly hash: Hex }
beforeAll(async () => {
  chain = await startLivingChain({ blocks: BLOCKS })
  const latest = await rpc(chain.url, 'eth_getBlockByNumber', 'latest', false)
  head = { height: Number(latest.number), hash: latest.hash }
}, PREPARE_TIMEOUT_MS)
afterAll(() => chain?.stop())

const genesis: GenesisAccount[] = genesisState({ fork: 'isthmus' }).map(({ address, balance, code }) => ({
  address: addressToHex(address),
  balance,
  hasCode: code.length > 0,
}))

/** As op-geth answers whose state is pruned. */
function refusesOldState(method: string, params: unknown[]) {
  const at = ['eth_getBalance', 'eth_getCode', 'eth_call'].includes(method) ? params[1] : params[0]
  const isState = /^(eth_getBalance|eth_getCode|eth_call|debug_traceBlockByNumber|trace_block)$/.test(method)
  if (!isState || typeof at !== 'string' || !at.startsWith('0x')) return undefined
  if (Number(at) === 0 || Number(at) > head.height - DEPTH) return undefined
  return method.startsWith('eth_')
    ? { code: -32000, message: `missing trie node 1f2e (path ) state 0x12 is not available, not found` }
    : { code: -32000, message: 'required historical state unavailable (reexec=128)' }
}

function hidesTraces(method: string) {
  const isTrace = method.startsWith('debug_') || method.startsWith('trace_')
  return isTrace ? { code: -32601, message: `the method ${method} does not exist/is not available` } : undefined
}

const nodes: { name: string; refuse: NonNullable<Bend['refuse']>; withGenesis: boolean }[] = [
  { name: 'has recent state only', refuse: refusesOldState, withGenesis: false },
  { name: 'has recent state only, where a genesis file is given', refuse: refusesOldState, withGenesis: true },
  { name: 'has no debug_ and no trace_', refuse: hidesTraces, withGenesis: true },
  {
    name: 'has neither old state nor traces',
    refuse: (m, p) => hidesTraces(m) ?? refusesOldState(m, p),
    withGenesis: false,
  },
]

async function untilRepaired(indexer: Indexer, database: Database): Promise<void> {
  const giveUpMs = Date.now() + REPAIR_TIMEOUT_MS
  for (;;) {
    const { balances } = indexer.progress().repair
    if (balances.state === 'done' && balances.unknown === 0 && (await chainState(database)).nativeBalances.areExact)
      return
    if (Date.now() > giveUpMs) throw new Error(`not repaired in time: ${JSON.stringify(indexer.progress())}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function storedBalances(database: Database) {
  const rows = await database.all(`select ${nativeBalances.select()} from native_balances`)
  return rows.map((row) => nativeBalances.decode(row))
}

async function balancesByAddress(database: Database) {
  return new Map((await storedBalances(database)).map(({ address, balance }) => [address, balance]))
}

/** Contracts that transactions went to, wherever they were created, and that the index takes for accounts. */
async function unknownContracts(database: Database): Promise<Hex[]> {
  const { contracts, transactions } = chain.facts
  const called = [...new Set(transactions.flatMap(({ raw }): Hex[] => raw.to ?? []))].filter((to) => contracts.has(to))
  expect(called.length).toBeGreaterThan(5)
  const known = await contractsBefore(database, called, head.height + 1)
  return called.filter((address) => !known.has(address))
}

describe.each(databases)('on $engine', ({ open }) => {
  let database: Database
  let proxy: NodeProxy
  let indexer: Indexer
  const index = async (bend: Bend, withGenesis: boolean) => {
    database = await open()
    proxy = await startProxy(chain.url, bend)
    indexer = startIndexer({ url: proxy.url, database }, { genesis: withGenesis ? genesis : null })
    await indexer.reaches(head.hash)
  }
  const end = async () => {
    await indexer.stop()
    proxy.stop()
    await database.close()
  }

  test.each(nodes)(
    'a node that $name ends with every balance at the head as the node has it',
    async ({ refuse, withGenesis }) => {
      await index({ refuse }, withGenesis)
      await untilRepaired(indexer, database)
      const rows = await storedBalances(database)
      expect(rows.length).toBeGreaterThan(30)
      for (const { address, balance } of rows) {
        expect([address, balance]).toEqual([address, BigInt(await rpc(chain.url, 'eth_getBalance', address, 'latest'))])
      }
      expect((await chainState(database)).nativeBalances.areComplete).toBe(false)
      expect(await unknownContracts(database)).toEqual([])
      await end()
    },
    PREPARE_TIMEOUT_MS,
  )

  test(
    'a node that gives no traces for a while ends as if it had given them at once',
    async () => {
      let isHiding = true
      const refuse: Bend['refuse'] = (method, [at]) =>
        isHiding && method === 'debug_traceBlockByNumber' && Number(at) % 3 === 1
          ? { code: -32000, message: 'required historical state unavailable (reexec=128)' }
          : undefined
      await index({ refuse }, true)
      while (indexer.progress().repair.traces.ended === null) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(indexer.progress().repair.traces.blocks).toBeGreaterThan(5)
      isHiding = false
      await indexer.stop()
      indexer = startIndexer({ url: proxy.url, database }, { genesis })
      const giveUpMs = Date.now() + REPAIR_TIMEOUT_MS
      while (indexer.progress().repair.traces.repaired < 5 || indexer.progress().repair.traces.blocks > 0) {
        if (Date.now() > giveUpMs) throw new Error(JSON.stringify(indexer.progress().repair))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await untilRepaired(indexer, database)
      const whole = await open()
      const untouched = startIndexer({ url: chain.url, database: whole }, { genesis })
      await untouched.reaches(head.hash)
      await untouched.stop()
      // Balances in between were not read, only those at the head.
      expectSameDump(await dumpAll(database), await dumpAll(whole), ['native_balances', 'native_history'])
      expect(await balancesByAddress(database)).toEqual(await balancesByAddress(whole))
      await whole.close()
      await end()
    },
    PREPARE_TIMEOUT_MS,
  )
})
