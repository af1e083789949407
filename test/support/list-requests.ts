// Every list of the explorer API, with requests that reach all of its shapes on a given chain. A list that is missing in this table does
// not compile.
import type { InputOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../src/contract/endpoints.ts'
import { someAddresses } from './living-chain.ts'
import type { NodeFacts } from './node-facts.ts'

/** Flashblocks, and what waits, are no part of the chain. */
type ListName = Exclude<
  { [N in EndpointName]: 'after' extends keyof InputOf<Endpoints[N]> ? N : never }[EndpointName],
  'flashblockList' | 'unconfirmedTransactionList'
>

export type ListRequest<N extends ListName = ListName> = {
  readonly endpoint: N
  readonly params: Readonly<Record<string, string>>
}

const KINDS = ['token_20', 'token_721', 'token_1155'] as const
const MOST_HASHES = 8

export function listRequestsOf(facts: NodeFacts): ListRequest[] {
  const addresses = someAddresses(facts).filter((_, i) => i % 2 === 0)
  const tokens = [...facts.tokens.keys()]
  const head = facts.blocks.length - 1
  const busiest = facts.blocks.toSorted((a, b) => b.transactions.length - a.transactions.length)[0]!
  const hashes = facts.transactions.slice(-MOST_HASHES).map(({ raw }) => raw.hash)
  const range = { startBlockHeight: String(head - 15), endBlockHeight: String(head - 2) }
  const emitters = [...new Set(facts.logs.map(({ raw }) => raw.address as string))]
  const topic0 = facts.logs[0]!.raw.topics[0] as string

  const table: Record<ListName, readonly Record<string, string>[]> = {
    tokenList: [...KINDS.map((protocolType) => ({ protocolType })), { orderBy: 'transactionAmount24h' }],
    tokenTransferList: tokens.flatMap((tokenContractAddress) => [
      { tokenContractAddress },
      { tokenContractAddress, minAmount: '0.5', maxAmount: '100' },
    ]),
    tokenPositionList: tokens.map((tokenContractAddress) => ({ tokenContractAddress })),
    addressTransactionList: addresses.flatMap((address) => [
      { address },
      { address, isFromOrTo: 'from' },
      { address, ...range },
      { address, protocolType: 'internal' },
      ...KINDS.map((protocolType) => ({ address, protocolType })),
      { address, protocolType: 'token_20', tokenContractAddress: tokens[0]! },
    ]),
    addressTokenBalance: addresses.flatMap((address) => KINDS.map((protocolType) => ({ address, protocolType }))),
    normalTransactionList: addresses.flatMap((address) => [{ address }, { address, ...range }]),
    internalTransactionList: addresses.map((address) => ({ address })),
    tokenTransactionList: addresses.flatMap((address) => KINDS.map((protocolType) => ({ address, protocolType }))),
    nativeTokenPositionList: [{}],
    blockList: [{}, { height: String(head - 3) }],
    blockTransactionList: [busiest.height, head - 1].flatMap((height) =>
      ['transaction', 'internal', ...KINDS].map((protocolType) => ({ height: String(height), protocolType })),
    ),
    largeTransactionList: [{ type: '100' }, { type: '2000' }],
    transactionList: [{}, { height: String(busiest.height) }, { blockHash: busiest.raw.hash }],
    tokenTransferMulti: [{ txId: hashes.join() }, { txId: hashes.join(), protocolType: 'token_20' }],
    internalTransactionMulti: [{ txId: hashes.join() }],
    internalTransactionDetail: hashes.map((txId) => ({ txId })),
    logsByAddress: emitters.map((address) => ({ address })),
    logsByAddressAndTopic: emitters.map((address) => ({ address, topic0 })),
    logsByTransaction: hashes.map((txId) => ({ txId })),
    logsByBlockAndAddress: emitters.map((address) => ({ address, ...range })),
  }
  return Object.entries(table).flatMap(([endpoint, each]) =>
    each.map((params): ListRequest => ({ endpoint: endpoint as ListName, params })),
  )
}
