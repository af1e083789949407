// Every list of the index beside what it must hold, worked out from the rows by plain loops.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import {
  type ActivityFilter,
  addressInternals,
  addressTransactions,
  addressTransfers,
  countActivity,
} from '../../src/store/read/activity.ts'
import { blockList, countBlocks } from '../../src/store/read/blocks.ts'
import {
  blockInternals,
  countInternalsOfTransactions,
  internalsOfTransactions,
} from '../../src/store/read/internals.ts'
import { addressLogs, transactionLogPositions } from '../../src/store/read/logs.ts'
import { countNativeHolders, nativeHolders } from '../../src/store/read/native-balances.ts'
import type { Page } from '../../src/store/read/page.ts'
import {
  countTokenBalancesOf,
  countTokenItemsOf,
  tokenBalancesOf,
  tokenHolders,
  tokenItemsOf,
} from '../../src/store/read/token-balances.ts'
import { countTokens, type TokenRank, tokenList, tokensByAddress } from '../../src/store/read/tokens.ts'
import {
  blockTransactions,
  countLargeTransactions,
  countTransactions,
  largeTransactions,
  latestTransactions,
} from '../../src/store/read/transactions.ts'
import {
  blockTransfers,
  countTokenTransfers,
  countTransfersOfTransactions,
  tokenTransfers,
  transfersOfTransactions,
} from '../../src/store/read/transfers.ts'
import type { BlockRows } from '../../src/store/schema/rows.ts'
import {
  ALL,
  ann,
  balancesOf,
  byRank,
  byText,
  type ChainList,
  ETHER,
  internalsOf,
  isAt,
  isInRange,
  isWith,
  keyOf,
  kindOf,
  list,
  logsOf,
  newest,
  oldest,
  type Parties,
  partiesOf,
  range,
  some,
  token,
  transactionsOf,
  transfersOf,
} from './chain-list-rows.ts'
import { TOKENS, TOPICS } from './chain-rows.ts'

function byAddress(
  name: string,
  filter: Omit<ActivityFilter, 'address' | 'token'>,
  isListed: (row: Parties) => boolean,
) {
  return [
    list({
      name: `transactions of an address ${name}`,
      index: 'PRIMARY KEY',
      read: (queries, page: Page) => addressTransactions(queries, { address: ann, ...filter }, page),
      count: (queries) => countActivity(queries, { address: ann, kind: 'transaction', ...filter }),
      keyOf,
      expected: (chain) => newest(partiesOf(chain).filter(isWith(ann)).filter(isListed)),
    }),
    list({
      name: `internal calls of an address ${name}`,
      index: 'PRIMARY KEY',
      read: (queries, page: Page) => addressInternals(queries, { address: ann, ...filter }, page),
      count: (queries) => countActivity(queries, { address: ann, kind: 'internal', ...filter }, ALL),
      keyOf,
      expected: (chain) => newest(internalsOf(chain).filter(isWith(ann)).filter(isListed)),
    }),
    list({
      name: `transfers of an address ${name}`,
      index: 'PRIMARY KEY',
      read: (queries, page: Page) => addressTransfers(queries, { address: ann, kind: 20, token, ...filter }, page),
      count: (queries) => countActivity(queries, { address: ann, kind: 20, token, ...filter }),
      keyOf,
      expected: (chain) =>
        newest(
          transfersOf(chain)
            .filter((row) => row.token === token)
            .filter(isWith(ann))
            .filter(isListed),
        ),
    }),
  ]
}

/** Lists whose requests depend on the chain. */
export function listsOf(chain: readonly BlockRows[]): ChainList[] {
  const positions = some(chain).map(({ pos }) => pos)
  const ofSome = ({ txPos }: { txPos: number }) => positions.includes(txPos)
  return [
    list({
      name: 'blocks',
      index: 'SCAN blocks',
      read: (queries, page: Page) => blockList(queries, page),
      count: (queries) => countBlocks(queries, ALL),
      keyOf: ({ height }) => height,
      expected: (all) => all.map(({ block }) => block.height).reverse(),
    }),
    list({
      name: 'latest transactions',
      index: 'SCAN transactions',
      read: latestTransactions,
      count: (queries) => countTransactions(queries, ALL),
      keyOf,
      expected: (all) => newest(transactionsOf(all)),
    }),
    list({
      name: 'large transactions',
      index: 'transactions_large',
      read: (queries, page: Page) => largeTransactions(queries, { above: 200n * ETHER }, page),
      count: (queries) => countLargeTransactions(queries, { above: 200n * ETHER }),
      keyOf,
      expected: (all) => newest(transactionsOf(all).filter(({ value }) => value > 200n * ETHER)),
    }),
    list({
      name: 'transactions of a block',
      index: 'INTEGER PRIMARY KEY',
      read: (queries, page: Page) => blockTransactions(queries, { height: 4 }, page),
      keyOf,
      expected: (all) => oldest(transactionsOf(all).filter(isAt(4))),
    }),
    list({
      name: 'transfers of a block',
      index: 'INTEGER PRIMARY KEY',
      read: (queries, page: Page) => blockTransfers(queries, { height: 4, kind: 20 }, page),
      keyOf,
      expected: (all) => oldest(transfersOf(all).filter((row) => isAt(4)(row) && row.kind === 20)),
    }),
    list({
      name: 'internal calls of a block',
      index: 'INTEGER PRIMARY KEY',
      read: (queries, page: Page) => blockInternals(queries, { height: 4 }, page),
      keyOf,
      expected: (all) => oldest(internalsOf(all).filter(isAt(4))),
    }),
    ...byAddress('', {}, () => true),
    ...byAddress('as sender', { role: 'from' }, ({ sender }) => sender === ann),
    ...byAddress('as recipient', { role: 'to' }, ({ recipient }) => recipient === ann),
    ...byAddress('in a range', range, isInRange),
    list({
      name: 'transfers of a token',
      index: 'COVERING INDEX transfers_token',
      read: (queries, page: Page) => tokenTransfers(queries, { token }, page),
      count: async (queries) => (await tokensByAddress(queries, [token])).get(token)?.transfers ?? 0,
      keyOf,
      expected: (all) => newest(transfersOf(all).filter((row) => row.token === token)),
    }),
    list({
      name: 'transfers of a token by amount and height',
      index: 'COVERING INDEX transfers_token',
      read: (queries, page: Page) =>
        tokenTransfers(queries, { token, minAmount: 100n, maxAmount: 700n, ...range }, page),
      count: (queries) => countTokenTransfers(queries, { token, minAmount: 100n, maxAmount: 700n, ...range }),
      keyOf,
      expected: (all) =>
        newest(
          transfersOf(all)
            .filter((row) => row.token === token && row.amount >= 100n && row.amount <= 700n)
            .filter(isInRange),
        ),
    }),
    list({
      name: 'transfers of transactions',
      index: 'transfers_transaction',
      read: (queries, page: Page) => transfersOfTransactions(queries, { positions, kind: 20 }, page),
      count: (queries) => countTransfersOfTransactions(queries, { positions, kind: 20 }),
      keyOf,
      expected: (all) => oldest(transfersOf(all).filter((row) => ofSome(row) && row.kind === 20)),
    }),
    list({
      name: 'internal calls of transactions',
      index: 'internals_transaction',
      read: (queries, page: Page) => internalsOfTransactions(queries, { positions }, page),
      count: (queries) => countInternalsOfTransactions(queries, { positions }),
      keyOf,
      expected: (all) => oldest(internalsOf(all).filter(ofSome)),
    }),
    list({
      name: 'logs of a transaction',
      index: 'logs_transaction',
      read: (queries, page: Page) => transactionLogPositions(queries, positions[0] ?? 0, page),
      keyOf: (pos) => pos,
      expected: (all) => newest(logsOf(all).filter(({ txPos }) => txPos === positions[0])),
    }),
    list({
      name: 'logs of an address',
      index: 'COVERING INDEX logs_address',
      read: (queries, page: Page) => addressLogs(queries, { address: token, ...range }, page),
      keyOf,
      expected: (all) => newest(logsOf(all).filter((row) => row.address === token && isInRange(row))),
    }),
    list({
      name: 'logs of an address with a topic',
      index: 'COVERING INDEX logs_topic',
      read: (queries, page: Page) => addressLogs(queries, { address: token, topics: [TOPICS[0]] }, page),
      keyOf,
      expected: (all) => newest(logsOf(all).filter((row) => row.address === token && row.topic0 === TOPICS[0])),
    }),
    list({
      name: 'native holders',
      index: 'COVERING INDEX native_balances_rank',
      read: nativeHolders,
      count: (queries) => countNativeHolders(queries, ALL),
      keyOf: ({ balance, address }) => ({ balance, address }),
      expected: (all) => {
        const balances = all.flatMap((rows) => rows.nativeBalances)
        return [
          ...new Map(balances.map(({ address, balance }) => [address, { balance: balance ?? 0n, address }])).values(),
        ]
          .filter(({ balance }) => balance > 0n)
          .sort(byRank)
      },
    }),
    ...TOKENS.map(({ address: held }) =>
      list({
        name: `holders of ${held}`,
        index: 'COVERING INDEX token_balances_rank',
        read: (queries, page: Page<{ balance: bigint; address: Hex }>) => tokenHolders(queries, held, page),
        count: async (queries) => (await tokensByAddress(queries, [held])).get(held)?.holders ?? 0,
        keyOf: ({ balance, address }) => ({ balance, address }),
        expected: (all) =>
          balancesOf(all, (row) => `${row.token}${row.address}`)
            .filter((row) => row.token === held)
            .map(({ address, delta }) => ({ balance: delta, address }))
            .sort(byRank),
      }),
    ),
    list({
      name: 'fungible tokens of an address',
      index: 'token_balances_address',
      read: (queries, page: Page<Hex>) => tokenBalancesOf(queries, { address: ann, kind: 20 }, page),
      count: (queries) => countTokenBalancesOf(queries, { address: ann, kind: 20 }),
      keyOf: (row) => row.token,
      expected: (all) =>
        balancesOf(all, (row) => `${row.token}${row.address}`)
          .filter((row) => row.address === ann && kindOf(row.token) === 20)
          .map((row) => row.token)
          .sort(byText),
    }),
    list({
      name: 'NFTs of an address',
      index: 'PRIMARY KEY',
      read: (queries, page: Page<{ token: Hex; tokenId: bigint }>) => tokenItemsOf(queries, { address: ann }, page),
      count: (queries) => countTokenItemsOf(queries, { address: ann }),
      keyOf: (row) => ({ token: row.token, tokenId: row.tokenId }),
      expected: (all) =>
        balancesOf(all, (row) => `${row.token}${row.address}${row.tokenId}`)
          .filter((row) => row.address === ann && row.tokenId !== null)
          .map((row) => ({ token: row.token, tokenId: row.tokenId }))
          .sort((a, b) => (a.token === b.token ? Number(a.tokenId! - b.tokenId!) : byText(a.token, b.token))),
    }),
    list({
      name: 'tokens',
      index: 'tokens_market_cap',
      read: (queries, page: Page<TokenRank>) => tokenList(queries, { kind: 20 }, page),
      count: (queries) => countTokens(queries, { kind: 20 }),
      keyOf: ({ address, holders, market }) => ({ figure: market?.marketCap ?? 0, holders, address }),
      expected: (all) => {
        const held = balancesOf(all, (row) => `${row.token}${row.address}`)
        return [...new Set(transfersOf(all).map((row) => row.token))]
          .filter((address) => kindOf(address) === 20)
          .map((address) => ({ figure: 0, holders: held.filter((row) => row.token === address).length, address }))
          .sort((a, b) => b.holders - a.holders || -byText(a.address, b.address))
      },
    }),
  ]
}
