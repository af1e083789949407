// A living chain with everything in it, indexed on both engines and compared with what the node itself says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../devnet/devnet.ts'
import { genesisState } from '../../devnet/genesis/genesis-state.ts'
import { addressToHex, type Hex, toQuantity } from '../../src/chain/bytes/hex.ts'
import type { GenesisAccount } from '../../src/chain/rules/genesis.ts'
import { writeChain } from '../../src/store/chain/write.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { nativeBalances, tokenBalances, tokens } from '../../src/store/schema/tables.ts'
import { databases } from '../support/databases.ts'
import { rpc, startLivelyDevnet } from '../support/devnet.ts'
import { dumpAll } from '../support/dump.ts'
import { startIndexer } from '../support/indexer.ts'
import { expectSameDump } from '../support/same-dump.ts'

const genesis: GenesisAccount[] = genesisState({ fork: 'isthmus' }).map(({ address, balance, code }) => ({
  address: addressToHex(address),
  balance,
  hasCode: code.length > 0,
}))

const BLOCKS = 40
const SLOW = 120_000

describe.each(databases)('the devnet on $engine', ({ open }) => {
  let devnet: Devnet
  let database: Database
  let height: number
  let tip: Hex

  beforeAll(async () => {
    devnet = await startLivelyDevnet({ tps: 40 })
    database = await open()
    const indexer = startIndexer({ url: devnet.url, database }, { genesis })
    const indexed = () => indexer.progress().indexed ?? -1
    const untilIndexed = async (wanted: number) => {
      while (indexed() < wanted) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await untilIndexed(BLOCKS)
    // However far the index is behind, some of what it has is replaced.
    const last = indexed()
    const head = Number(await rpc(devnet.url, 'eth_blockNumber'))
    await rpc(devnet.url, 'devnet_reorg', toQuantity(head - last + 7))
    await untilIndexed(head + 5)
    await indexer.stop()
    const progress = indexer.progress()
    expect(progress).toMatchObject({ reorgs: 1, balancesHealed: 0, malformedTransfers: 0 })
    expect(progress.balancesSampled).toBeGreaterThan(BLOCKS)
    height = progress.indexed!
    tip = toQuantity(height)
  }, SLOW)
  afterAll(async () => {
    await devnet.stop()
    await database.close()
  })

  test('every native balance is the node’s, and together they are what was ever given out', async () => {
    const rows = (await database.all(`select ${nativeBalances.select()} from native_balances`)).map((row) =>
      nativeBalances.decode(row),
    )
    expect(rows.length).toBeGreaterThan(genesis.length)
    for (const { address, balance } of rows) {
      expect([address, balance]).toEqual([address, BigInt(await rpc(devnet.url, 'eth_getBalance', address, tip))])
    }
    expect(sum(rows.map(({ balance }) => balance ?? 0n))).toBe(await suppliedUntil(height))
  })

  test('every token balance and supply is the contract’s', async () => {
    const kinds = new Map(
      (await database.all(`select ${tokens.select()} from tokens`))
        .map((row) => tokens.decode(row))
        .map((row) => [row.address, row.kind] as const),
    )
    expect(new Set(kinds.values())).toEqual(new Set([20, 721, 1155]))
    const rows = (await database.all(`select ${tokenBalances.select()} from token_balances`)).map((row) =>
      tokenBalances.decode(row),
    )
    for (const { token, address, balance } of rows) {
      if (kinds.get(token) === 1155) continue
      const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
      expect([token, address, balance]).toEqual([
        token,
        address,
        BigInt(await rpc(devnet.url, 'eth_call', { to: token, data }, tip)),
      ])
    }
  })

  test('exactly the addresses that have code are contracts', async () => {
    const seen = await database.all<{ address: string }>('select distinct lower(hex(address)) as address from activity')
    const known = new Set(
      (await database.all<{ address: string }>('select lower(hex(address)) as address from contracts')).map(
        ({ address }) => address,
      ),
    )
    for (const { address } of seen) {
      const code: string = await rpc(devnet.url, 'eth_getCode', `0x${address}`, tip)
      expect([address, known.has(address)]).toEqual([address, code !== '0x' && !code.startsWith('0xef0100')])
    }
  })

  test('a second index of the same chain is the same, byte for byte', { timeout: SLOW }, async () => {
    const again = await open()
    const { hash } = await rpc(devnet.url, 'eth_getBlockByNumber', tip, false)
    const indexer = startIndexer({ url: devnet.url, database: again }, { genesis })
    await untilStored(again, hash)
    await indexer.stop()
    expect(indexer.progress().balancesHealed).toBe(0)
    // It may have gone on meanwhile.
    await writeChain(again, { rewindTo: height + 1, blocks: [] })
    expectSameDump(await dumpAll(database), await dumpAll(again))
    await again.close()
  })

  const untilStored = async (target: Database, hash: string) => {
    while (
      (await target.all('select height from blocks where hash = $1', [Buffer.from(hash.slice(2), 'hex')])).length === 0
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Genesis and what deposits minted, from the node alone. */
  const suppliedUntil = async (last: number): Promise<bigint> => {
    let supplied = sum(genesis.map(({ balance }) => balance))
    for (let at = 1; at <= last; at++) {
      const { transactions } = await rpc(devnet.url, 'eth_getBlockByNumber', toQuantity(at), true)
      for (const { mint } of transactions) supplied += BigInt(mint ?? 0)
    }
    return supplied
  }
})

function sum(all: readonly bigint[]): bigint {
  return all.reduce((total, each) => total + each, 0n)
}
