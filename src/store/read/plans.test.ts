// How the engines mean to answer every read. On PostgreSQL scans and sorts are forbidden to the planner, so one that is left
// in a plan has no index to replace it; tables this small would be scanned otherwise.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainList } from '../../../test/support/chain-list-rows.ts'
import { listsOf } from '../../../test/support/chain-lists.ts'
import { ADDRESSES, randomChain, TOKENS, TOPICS } from '../../../test/support/chain-rows.ts'
import { databases } from '../../../test/support/databases.ts'
import { rewind } from '../chain/reorg.ts'
import { writeChain } from '../chain/write.ts'
import type { Database, Queries, Value } from '../engine/database.ts'
import { activityEnds, countCallers } from './activity.ts'
import { blockAt, blockByHash, firstBlockSinceTime, lastBlockAtTime } from './blocks.ts'
import { chainState } from './chain-state.ts'
import { contractCreations, contractsAmong, possibleContracts } from './contracts.ts'
import { tokenChangesSince } from './holder-changes.ts'
import { internalsWithin } from './internals.ts'
import { addressLogs, logsByTopic } from './logs.ts'
import { contractsNamed, tokensNamed } from './name-search.ts'
import { nativeBalancesBefore, nativeBalancesOf } from './native-balances.ts'
import { tokenHolder } from './token-balances.ts'
import { tokensAmong, tokensByAddress } from './tokens.ts'
import { transactionInput, transactionsByHash } from './transactions.ts'
import { transferredSince } from './transfers.ts'

const chain = randomChain({ seed: 11, last: 40 })
const hashes = chain.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)).slice(0, 20)
const [ann, token] = [ADDRESSES[0]!, TOKENS[0]!.address]

const singles: Record<string, (queries: Queries) => Promise<unknown>> = {
  'a block by height': (queries) => blockAt(queries, 3),
  'a block by hash': (queries) => blockByHash(queries, chain[3]!.block.hash),
  'the last block at a time': (queries) => lastBlockAtTime(queries, chain[3]!.block.timestampMs),
  'the first block since a time': (queries) => firstBlockSinceTime(queries, chain[3]!.block.timestampMs),
  'transactions by hash': (queries) => transactionsByHash(queries, hashes),
  'the input of a transaction': (queries) => transactionInput(queries, chain[3]!.transactions[0]?.pos ?? 0),
  'first and last activity': (queries) => activityEnds(queries, { address: ann, kind: 'transaction' }),
  'how many called an address': (queries) => countCallers(queries, { address: ann, from: 3 }),
  'internal calls between heights': (queries) => internalsWithin(queries, { from: 3, to: 9 }, { limit: 5 }),
  'logs with either topic': (queries) =>
    addressLogs(queries, { address: token, topics: TOPICS, either: [[0, 1]] }, { limit: 5 }),
  'logs of any contract': (queries) => logsByTopic(queries, { topics: TOPICS.slice(1), from: 3, to: 9 }, { limit: 5 }),
  'which are contracts': (queries) => contractsAmong(queries, ADDRESSES),
  'which may be contracts': (queries) => possibleContracts(queries, ADDRESSES),
  'who created contracts': (queries) => contractCreations(queries, ADDRESSES),
  'tokens by address': (queries) => tokensByAddress(queries, [token]),
  'tokens by the beginning of a name': (queries) => tokensNamed(queries, 'a', 5),
  'contracts by the beginning of a name': (queries) => contractsNamed(queries, 'a', 5),
  'which are tokens': (queries) => tokensAmong(queries, [token]),
  'a holder and its rank': (queries) => tokenHolder(queries, token, ann),
  'what holders gained or lost': (queries) => tokenChangesSince(queries, { token, from: 3 }, ADDRESSES),
  'native balances': (queries) => nativeBalancesOf(queries, ADDRESSES),
  'native balances before a height': (queries) => nativeBalancesBefore(queries, ADDRESSES, 20),
  'what a token moved': (queries) => transferredSince(queries, token, 0),
  'the state of the chain': (queries) => chainState(queries),
}

describe.each(databases)('on $engine', ({ engine, open }) => {
  let database: Database
  beforeEach(async () => {
    database = await open()
    await writeChain(database, { blocks: chain })
    if (database.engine === 'postgres') await database.run('analyze')
  })
  afterEach(() => database.close())

  test('no read scans a table or sorts what has no bound', async () => {
    for (const [name, read] of [...Object.entries(singles), ...listsOf(chain).flatMap(readsOf)]) {
      for (const statement of await recorded(database, read)) {
        expect(await objections(database, statement), `${name}: ${statement.sql}`).toEqual([])
      }
    }
  })

  test('no statement of a rewind scans or sorts', async () => {
    const seen: Statement[] = []
    await database.transaction((queries) => rewind(recording(queries, seen), 35))
    for (const statement of seen.filter(({ sql }) => !sql.includes('stored_ranges'))) {
      expect(await objections(database, statement), statement.sql).toEqual([])
    }
    expect(seen.length).toBeGreaterThan(10)
  })

  test.runIf(engine === 'sqlite')('every list walks along the index that is meant for it', async () => {
    for (const list of listsOf(chain)) {
      const [keys] = await recorded(database, (queries) => list.read(queries, { limit: 3 }))
      const steps = await database.all<{ detail: string }>(`explain query plan ${keys!.sql}`, keys!.values)
      expect(steps.map(({ detail }) => detail).join('\n'), list.name).toContain(list.index)
    }
  })

  test('a read without an index would be noticed', async () => {
    const scan = { sql: 'select pos from transactions where nonce = $1 order by gas_used', values: [1] }
    expect(await objections(database, scan)).toEqual(['scans', 'sorts'])
  })
})

type Statement = { readonly sql: string; readonly values: readonly Value[] }

function readsOf(list: ChainList): [string, (queries: Queries) => Promise<unknown>][] {
  return [
    [list.name, (queries) => list.read(queries, { limit: 3, offset: 1 })],
    [
      `${list.name} by cursor`,
      async (queries) => {
        const rows = await list.read(queries, { limit: 1 })
        return list.read(queries, { limit: 3, beyond: rows.map(list.keyOf)[0] })
      },
    ],
    [`count of ${list.name}`, async (queries) => list.count?.(queries)],
  ]
}

async function recorded(database: Database, read: (queries: Queries) => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  await read(recording(database, seen))
  return seen
}

function recording(queries: Queries, seen: Statement[]): Queries {
  return {
    ...queries,
    all: (sql, values = []) => {
      seen.push({ sql: onOneLine(sql), values })
      return queries.all(sql, values)
    },
    run: (sql, values = []) => {
      seen.push({ sql: onOneLine(sql), values })
      return queries.run(sql, values)
    },
  }
}

function onOneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}

function objections(database: Database, statement: Statement): Promise<string[]> {
  return database.engine === 'sqlite' ? sqliteObjections(database, statement) : postgresObjections(database, statement)
}

/** A scan along the key that a limit ends is a page, not a scan. */
function isPageOfAll(sql: string): boolean {
  return !/ where /.test(sql) && / limit \d+/.test(sql)
}

/** What a few transactions did may be sorted, and so may a page that was cut already, and callers, of whom there are not too many. */
function isBoundedSort(sql: string): boolean {
  return /tx_pos in| union /.test(sql) || / limit \d+[^()]*\) x(\) x\s+join .*)? order by /s.test(sql)
}

/** Not of what a subquery named x gave, of a constant, or of the index that holds the large transactions only. */
const SQLITE_SCAN = /^SCAN (?!x\b|CONSTANT ROW|transactions USING COVERING INDEX transactions_large$)/

async function sqliteObjections(database: Database, { sql, values }: Statement): Promise<string[]> {
  const steps = await database.all<{ detail: string }>(`explain query plan ${sql}`, values)
  const scans = steps.some(({ detail }) => SQLITE_SCAN.test(detail)) && !isPageOfAll(sql)
  const sorts = steps.some(({ detail }) => /TEMP B-TREE FOR/.test(detail)) && !isBoundedSort(sql)
  return [...(scans ? ['scans'] : []), ...(sorts ? ['sorts'] : [])]
}

type PlanNode = { 'Node Type': string; Plans?: PlanNode[] }

async function postgresObjections(database: Database, { sql, values }: Statement): Promise<string[]> {
  const plan = await database.transaction(async (queries) => {
    for (const way of ['seqscan', 'sort', 'bitmapscan', 'hashjoin', 'mergejoin']) {
      await queries.run(`set local enable_${way} = off`)
    }
    const [row] = await queries.all(`explain (format json) ${sql}`, values)
    return (row!['QUERY PLAN'] as unknown as [{ Plan: PlanNode }])[0].Plan
  })
  const nodes = nodesOf(plan)
  const scans = nodes.some((node) => node['Node Type'] === 'Seq Scan') && !isPageOfAll(sql)
  const sorts = nodes.some((node) => node['Node Type'].endsWith('Sort') && !isCut(node)) && !isBoundedSort(sql)
  return [...(scans ? ['scans'] : []), ...(sorts ? ['sorts'] : [])]
}

function isCut(node: PlanNode): boolean {
  return nodesOf(node).some((below) => below['Node Type'] === 'Limit')
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
