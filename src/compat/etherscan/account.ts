// module=account
import type { Hex } from '../../chain/bytes/hex.ts'
import type { ChainNow } from '../../explorer/state/chain-now.ts'
import { addressInternals, addressTransactions, addressTransfers } from '../../store/read/activity.ts'
import { transactionsAt } from '../../store/read/in-chain.ts'
import { internalsOfTransactions, internalsWithin } from '../../store/read/internals.ts'
import { nativeBalancesOf } from '../../store/read/native-balances.ts'
import { tokenBalancesOf } from '../../store/read/token-balances.ts'
import { tokensByAddress } from '../../store/read/tokens.ts'
import { transactionInputs, transactionsByHash } from '../../store/read/transactions.ts'
import { tokenTransfers } from '../../store/read/transfers.ts'
import type { TokenKind } from '../../store/schema/rows.ts'
import { answered, EtherscanRefusal, listed, NO_TRANSACTIONS } from './answer.ts'
import type { Action } from './facade.ts'
import {
  addressesFrom,
  addressFrom,
  type EtherscanQuery,
  hashFrom,
  optionalAddress,
  orderFrom,
  pageFrom,
  rangeFrom,
} from './query.ts'
import { internalRecord, transactionRecord, transferRecord } from './records.ts'

const MOST_BALANCES = 20

function heightsAndOrder(now: ChainNow, query: EtherscanQuery) {
  return {
    ...rangeFrom(now, { from: query.startblock, to: query.endblock }),
    order: orderFrom(query),
  }
}

const balance: Action = async ({ queries }, query) => {
  const address = addressFrom(query.address)
  return answered((await balancesOf(queries, [address])).get(address)!)
}

const balancemulti: Action = async ({ queries }, query) => {
  const balances = await balancesOf(queries, addressesFrom(query.address, MOST_BALANCES))
  return answered([...balances].map(([account, wei]) => ({ account, balance: wei })))
}

const txlist: Action = async (now, query) => {
  const { queries, heads } = now
  const filter = { address: addressFrom(query.address), ...heightsAndOrder(now, query) }
  const rows = await addressTransactions(queries, filter, pageFrom(query))
  const inputs = await transactionInputs(
    queries,
    rows.map(({ pos }) => pos),
  )
  const { latest } = heads
  return listed(
    rows.map((row) => transactionRecord(row, { input: inputs.get(row.pos) ?? '0x', latest })),
    NO_TRANSACTIONS,
  )
}

const txlistinternal: Action = async (now, query) => {
  const { queries } = now
  const page = pageFrom(query)
  if (query.txhash) {
    const positions = (await transactionsByHash(queries, [hashFrom(query.txhash)])).map(({ pos }) => pos)
    return listed((await internalsOfTransactions(queries, { positions }, page)).map(internalRecord), NO_TRANSACTIONS)
  }
  const filter = heightsAndOrder(now, query)
  const address = optionalAddress(query.address)
  const rows = address
    ? await addressInternals(queries, { ...filter, address }, page)
    : await internalsWithin(queries, filter, page)
  return listed(rows.map(internalRecord), NO_TRANSACTIONS)
}

function transfersOfKind(kind: TokenKind): Action {
  return async (now, query) => {
    const [address, token] = [optionalAddress(query.address), optionalAddress(query.contractaddress)]
    if (!address && !token) throw new EtherscanRefusal('Error! Missing address or contractaddress')
    const filter = { token, ...heightsAndOrder(now, query) }
    if (!address && !(await isOfKind(now, token!, kind))) return listed([], NO_TRANSACTIONS)
    const rows = address
      ? await addressTransfers(now.queries, { ...filter, address, kind }, pageFrom(query))
      : await tokenTransfers(now.queries, { ...filter, token: token! }, pageFrom(query))
    return listed(await transferRecords(now, rows), NO_TRANSACTIONS)
  }
}

async function isOfKind({ queries }: ChainNow, token: Hex, kind: TokenKind): Promise<boolean> {
  return (await tokensByAddress(queries, [token])).get(token)?.kind === kind
}

const tokenbalance: Action = async ({ queries }, query) => {
  const [address, token] = [addressFrom(query.address), addressFrom(query.contractaddress)]
  const [held] = await tokenBalancesOf(queries, { address, token }, { limit: 1 })
  return answered((held?.balance ?? 0n).toString())
}

export const account = {
  balance,
  balancemulti,
  txlist,
  txlistinternal,
  tokentx: transfersOfKind(20),
  tokennfttx: transfersOfKind(721),
  token1155tx: transfersOfKind(1155),
  tokenbalance,
}

async function balancesOf(queries: ChainNow['queries'], addresses: readonly Hex[]): Promise<Map<Hex, string>> {
  const known = await nativeBalancesOf(queries, addresses)
  return new Map(addresses.map((address) => [address, (known.get(address)?.balance ?? 0n).toString()]))
}

async function transferRecords(now: ChainNow, rows: Awaited<ReturnType<typeof addressTransfers>>) {
  const { queries, heads } = now
  const outers = await transactionsAt(queries, [...new Set(rows.map(({ txPos }) => txPos))])
  const byPosition = new Map(outers.map((outer) => [outer.pos, outer]))
  const tokens = await tokensByAddress(queries, [...new Set(rows.map(({ token }) => token))])
  return rows.map((row) =>
    transferRecord(row, { outer: byPosition.get(row.txPos), token: tokens.get(row.token), latest: heads.latest }),
  )
}
