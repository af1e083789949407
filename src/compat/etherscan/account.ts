// module=account
import type { Hex } from '../../chain/bytes/hex.ts'
import { shownBalances } from '../../explorer/native-balances.ts'
import { type ChainContext, notReady } from '../../explorer/state/chain-context.ts'
import { addressInternals, addressTransactions, addressTransfers } from '../../store/read/activity.ts'
import { transactionsAt } from '../../store/read/chain-rows.ts'
import { internalsOfTransactions, internalsWithin } from '../../store/read/internals.ts'
import { tokenBalancesOf } from '../../store/read/token-balances.ts'
import { tokensByAddress } from '../../store/read/tokens.ts'
import { areCallsComplete, traceGapsAt } from '../../store/read/trace-gaps.ts'
import { cumulativeGas, longColumns, transactionsByHash } from '../../store/read/transactions.ts'
import { tokenTransfers } from '../../store/read/transfers.ts'
import type { TokenKind } from '../../store/schema/rows.ts'
import { answered, type EtherscanAnswer, EtherscanRefusal, listed, NO_TRANSACTIONS } from './answer.ts'
import {
  type Action,
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

function heightsAndOrder(chain: ChainContext, query: EtherscanQuery) {
  return {
    ...rangeFrom(chain, { from: query.startblock, to: query.endblock }),
    order: orderFrom(query),
  }
}

const balance: Action = async (chain, query) => {
  const address = addressFrom(query.address)
  return answered((await balancesOf(chain, [address])).get(address)!)
}

const balancemulti: Action = async (chain, query) => {
  const balances = await balancesOf(chain, addressesFrom(query.address, MOST_BALANCES))
  return answered([...balances].map(([account, wei]) => ({ account, balance: wei })))
}

const txlist: Action = async (chain, query) => {
  const { reader, heads } = chain
  const filter = { address: addressFrom(query.address), ...heightsAndOrder(chain, query) }
  const rows = await addressTransactions(reader, filter, pageFrom(query))
  const positions = rows.map(({ pos }) => pos)
  const [inputs, gas] = await Promise.all([longColumns(reader, positions), cumulativeGas(reader, positions)])
  const { latest } = heads
  return listed(
    rows.map((row) => {
      const input = inputs.get(row.pos)?.input ?? '0x'
      return transactionRecord(row, { input, cumulativeGas: gas.get(row.pos), latest })
    }),
    NO_TRANSACTIONS,
  )
}

const txlistinternal: Action = async (chain, query) => {
  const { reader } = chain
  const page = pageFrom(query)
  if (query.txhash) {
    const positions = (await transactionsByHash(reader, [hashFrom(query.txhash)])).map(({ pos }) => pos)
    const rows = await internalsOfTransactions(reader, { positions }, page)
    return listedInternals(rows.map(internalRecord), (await traceGapsAt(reader, positions)).size === 0)
  }
  const filter = heightsAndOrder(chain, query)
  const address = optionalAddress(query.address)
  const rows = address
    ? await addressInternals(reader, { ...filter, address }, page)
    : await internalsWithin(reader, filter, page)
  return listedInternals(rows.map(internalRecord), await areCallsComplete(reader, filter))
}

/** No list of internal transactions is empty because nobody traced them. */
function listedInternals(records: readonly unknown[], areComplete: boolean): EtherscanAnswer {
  if (areComplete) return listed(records, NO_TRANSACTIONS)
  if (records.length === 0) throw new EtherscanRefusal(`Error! ${UNTRACED}`)
  return { ...answered(records), message: `OK-${UNTRACED}` }
}

const UNTRACED =
  'Not all internal transactions are known: the node gave no trace of some, or they are being derived again'

function transfersOfKind(kind: TokenKind): Action {
  return async (chain, query) => {
    const [address, token] = [optionalAddress(query.address), optionalAddress(query.contractaddress)]
    if (!address && !token) throw new EtherscanRefusal('Error! Missing address or contractaddress')
    const filter = { token, ...heightsAndOrder(chain, query) }
    if (!address && !(await isOfKind(chain, token!, kind))) return listed([], NO_TRANSACTIONS)
    const rows = address
      ? await addressTransfers(chain.reader, { ...filter, address, kind }, pageFrom(query))
      : await tokenTransfers(chain.reader, { ...filter, token: token! }, pageFrom(query))
    return listed(await transferRecords(chain, rows), NO_TRANSACTIONS)
  }
}

async function isOfKind({ reader }: ChainContext, token: Hex, kind: TokenKind): Promise<boolean> {
  return (await tokensByAddress(reader, [token])).get(token)?.kind === kind
}

const tokenbalance: Action = async ({ reader }, query) => {
  const [address, token] = [addressFrom(query.address), addressFrom(query.contractaddress)]
  const [held] = await tokenBalancesOf(reader, { address, token }, { limit: 1 })
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

/** This dialect has no field for a mark, so a balance that is not exact is refused. */
async function balancesOf(chain: ChainContext, addresses: readonly Hex[]): Promise<Map<Hex, string>> {
  const shown = await shownBalances(chain, addresses)
  if ([...shown.values()].some(({ isExact }) => !isExact))
    throw notReady('the balance is not known, and the node does not answer')
  return new Map([...shown].map(([address, { balance }]) => [address, balance!.toString()]))
}

async function transferRecords(chain: ChainContext, rows: Awaited<ReturnType<typeof addressTransfers>>) {
  const { reader, heads } = chain
  const positions = [...new Set(rows.map(({ txPos }) => txPos))]
  const [outers, gas] = await Promise.all([transactionsAt(reader, positions), cumulativeGas(reader, positions)])
  const byPosition = new Map(outers.map((outer) => [outer.pos, outer]))
  const tokens = await tokensByAddress(reader, [...new Set(rows.map(({ token }) => token))])
  return rows.map((row) =>
    transferRecord(row, {
      outer: byPosition.get(row.txPos),
      token: tokens.get(row.token),
      cumulativeGas: gas.get(row.txPos),
      latest: heads.latest,
    }),
  )
}
