// What the explorer must answer on a chain, endpoint by endpoint, worked out from the node's own words.
import { formatEther, formatUnits } from 'viem'
import type { Client } from '../../../src/client/client.ts'
import { createRecords } from '../expected-records.ts'
import { newestFirst, someAddresses } from '../living-chain.ts'
import type { Hex, NodeFacts } from '../node-facts.ts'

type Row = Readonly<Record<string, unknown>>

export type Question = {
  readonly endpoint: string
  /** One page; without paging the rows are `data` itself. */
  readonly ask: (paging: { page: string; limit: string }) => Promise<{ data: readonly unknown[] }>
  /** The name of the list in a page. */
  readonly list: string | undefined
  readonly limit: number
  readonly expected: readonly Row[]
  /** Rows without an order of their own are found by this field. */
  readonly key?: string
}

const chainShortName = 'dev'
const HASHES = 20
const KINDS = [20, 721, 1155] as const
/** E7 lists what moves more than this many units. */
const LARGE = 100n

export function questionsAbout(api: Client, facts: NodeFacts): Question[] {
  const records = createRecords(facts)
  const transactions = newestFirst(facts.transactions)
  const paged = (endpoint: string, list: string, limit: number, expected: readonly Row[], ask: Question['ask']) => ({
    endpoint,
    list,
    limit,
    expected,
    ask,
  })
  const whole = (endpoint: string, expected: readonly Row[], ask: Question['ask']): Question => ({
    endpoint,
    list: undefined,
    limit: 0,
    expected,
    ask,
  })
  const touches = (address: Hex) =>
    transactions.filter(({ raw, receipt }) =>
      // Nodes name the address of a creation that failed, too.
      [raw.from, raw.to, receipt.status === '0x0' ? null : receipt.contractAddress].includes(address),
    )
  const emitters = [...new Set(facts.logs.map(({ raw }) => raw.address as Hex))].slice(0, HASHES)
  const groups = Array.from({ length: Math.ceil(facts.transactions.length / HASHES) }, (_, i) =>
    facts.transactions.slice(i * HASHES, (i + 1) * HASHES),
  )
  const of = <T extends { transaction: unknown }>(rows: readonly T[], group: readonly unknown[]) =>
    rows.filter(({ transaction }) => group.includes(transaction))

  return [
    paged('E5', 'blockList', 100, newestFirst(facts.blocks).map(records.blockListItem), (p) =>
      api.blockList({ chainShortName, ...p }),
    ),
    paged('E8', 'transactionList', 50, transactions.map(records.latest), (p) =>
      api.transactionList({ chainShortName, ...p }),
    ),
    paged(
      'E7',
      'transactionList',
      50,
      transactions.filter(({ raw }) => BigInt(raw.value) > LARGE * 10n ** 18n).map(records.latest),
      (p) => api.largeTransactionList({ chainShortName, type: String(LARGE), ...p }),
    ),
    ...facts.blocks.flatMap((block): Question[] => {
      const height = String(block.height)
      const inBlock = <T extends { transaction: { block: unknown } }>(rows: readonly T[]) =>
        rows.filter(({ transaction }) => transaction.block === block)
      const list = (protocolType: 'transaction' | 'internal' | 'token_20', expected: readonly Row[]) =>
        paged('E6', 'blockList', 20, expected, (p) =>
          api.blockTransactionList({ chainShortName, height, protocolType, ...p }),
        )
      return [
        whole('E9', [records.blockDetail(block)], () => api.blockFills({ chainShortName, height })),
        list('transaction', block.transactions.map(records.inBlock)),
        list('internal', inBlock(facts.internals).map(records.internalInBlock)),
        list(
          'token_20',
          inBlock(facts.transfers)
            .filter(({ kind }) => kind === 20)
            .map(records.transferInBlock),
        ),
      ]
    }),
    ...groups.flatMap((group): Question[] => {
      const txId = group.map(({ raw }) => raw.hash).join()
      return [
        whole('E10', group.map(records.normal), () => api.transactionMulti({ chainShortName, txId })),
        paged('E11', 'tokenTransferDetails', 100, of(facts.transfers, group).map(records.transferByHash), (p) =>
          api.tokenTransferMulti({ chainShortName, txId, ...p }),
        ),
        paged('E13', 'internalTransactionDetails', 100, of(facts.internals, group).map(records.internalByHash), (p) =>
          api.internalTransactionMulti({ chainShortName, txId, ...p }),
        ),
      ]
    }),
    ...facts.transactions.slice(-3 * HASHES).flatMap((transaction): Question[] => {
      const txId = transaction.raw.hash
      const internals = of(facts.internals, [transaction]).map((internal) => {
        const { blockHash: _, ...rest } = records.internalByHash(internal)
        return { ...rest, state: internal.failed ? 'fail' : 'success' }
      })
      const logs = newestFirst(of(facts.logs, [transaction])).map(records.log)
      return [
        paged('E14', 'internalTransactionDetails', 100, internals, (p) =>
          api.internalTransactionDetail({ chainShortName, txId, ...p }),
        ),
        whole('E18', logs, () => api.logsByTransaction({ chainShortName, txId })),
      ]
    }),
    ...someAddresses(facts).flatMap((address): Question[] => [
      paged('E3', 'transactionLists', 50, touches(address).map(records.ofAddress), (p) =>
        api.addressTransactionList({ chainShortName, address, ...p }),
      ),
      paged('E4', 'transactionList', 50, touches(address).map(records.normal), (p) =>
        api.normalTransactionList({ chainShortName, address, ...p }),
      ),
      whole('E3a', [{ address, balance: formatEther(facts.balances.get(address) ?? 0n) }], () =>
        api.addressInformation({ chainShortName, address }),
      ),
    ]),
    ...emitters.flatMap((address): Question[] => {
      const logs = newestFirst(facts.logs).filter(({ raw }) => raw.address === address)
      const range = { startBlockHeight: '0', endBlockHeight: String(facts.blocks.length - 1) }
      return [
        whole('E17', logs.slice(0, MOST_LOGS).map(records.log), () => api.logsByAddress({ chainShortName, address })),
        whole('E19', logs.slice(0, MOST_LOGS).map(records.log), () =>
          api.logsByBlockAndAddress({ chainShortName, address, ...range }),
        ),
        whole('E16', [], () => api.verifyContractInfo({ chainShortName, contractAddress: address })),
      ]
    }),
    ...balanceQuestions(api, facts),
  ]
}

const MOST_LOGS = 1_000

/** Native balances, tokens and their holders: each is what the node or the contract says at the head. */
function balanceQuestions(api: Client, facts: NodeFacts): Question[] {
  const records = createRecords(facts)
  const native = [...facts.balances].filter(([, balance]) => balance > 0n)
  return [
    {
      endpoint: 'E12',
      list: 'positionList',
      limit: 100,
      key: 'address',
      expected: native.map(([address, balance]) => ({ address, amount: formatEther(balance) })),
      ask: (p) => api.nativeTokenPositionList({ chainShortName, ...p }),
    },
    ...KINDS.map(
      (kind): Question => ({
        endpoint: 'E1',
        list: 'tokenList',
        limit: 50,
        key: 'tokenContractAddress',
        expected: [...facts.tokens.values()]
          .filter((token) => token.kind === kind)
          .map(({ address, symbol, name, decimals, supply, holders }) => ({
            tokenContractAddress: address,
            token: symbol,
            tokenFullName: name,
            precision: String(decimals),
            totalSupply: supply === undefined ? '' : formatUnits(supply, decimals),
            addressCount: String(holders.size),
          })),
        ask: (p) => api.tokenList({ chainShortName, protocolType: `token_${kind}`, ...p }),
      }),
    ),
    ...[...facts.tokens.values()].flatMap(({ address, holders, decimals }): Question[] => [
      {
        endpoint: 'E2',
        list: 'transactionList',
        limit: 50,
        expected: newestFirst(facts.transfers)
          .filter(({ token }) => token === address)
          .map(records.transferOfToken),
        ask: (p) => api.tokenTransferList({ chainShortName, tokenContractAddress: address, ...p }),
      },
      {
        endpoint: 'E12a',
        list: 'positionList',
        limit: 50,
        key: 'holderAddress',
        expected: [...holders].map(([holderAddress, balance]) => ({
          holderAddress,
          amount: formatUnits(balance, decimals),
        })),
        ask: (p) => api.tokenPositionList({ chainShortName, tokenContractAddress: address, ...p }),
      },
    ]),
  ]
}
