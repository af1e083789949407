// What an address is: its balance, its activity and, for a contract, who created it and how much it is used.
import type { Hex } from '../chain/bytes/hex.ts'
import { activityEnds, countActivity, countCallers } from '../store/read/activity.ts'
import { blocksAt, lastBlockAtTime } from '../store/read/blocks.ts'
import { contractCreations } from '../store/read/contracts.ts'
import { nativeBalancesOf } from '../store/read/native-balances.ts'
import { tokensByAddress } from '../store/read/tokens.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { heightOf } from '../store/schema/position.ts'
import { nativeUnits } from './records/parts.ts'
import type { AnswerTo, ChainNow } from './state/chain-now.ts'

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export const addressInformation: AnswerTo<'addressInformation'> = async (now, params) => {
  const { queries, names } = now
  const address = params.address as Hex
  const filter = { address, kind: 'transaction' } as const
  const [balances, transactionCount, ends, contract, tokens] = await Promise.all([
    nativeBalancesOf(queries, [address]),
    countActivity(queries, filter),
    activityEnds(queries, filter),
    contractOf(now, address),
    tokensByAddress(queries, [address]),
  ])
  const times = new Map(
    (await blocksAt(queries, ends ? [heightOf(ends.first), heightOf(ends.last)] : [])).map((block) => [
      block.height,
      String(block.timestampMs),
    ]),
  )
  return {
    data: [
      {
        address,
        balance: nativeUnits(balances.get(address)?.balance ?? 0n),
        balanceSymbol: names.symbol,
        transactionCount: String(transactionCount),
        firstTransactionTime: (ends && times.get(heightOf(ends.first))) ?? '',
        lastTransactionTime: (ends && times.get(heightOf(ends.last))) ?? '',
        ...contract,
        contractCorrespondingToken: tokens.get(address)?.symbol ?? '',
      },
    ],
  }
}

async function contractOf(now: ChainNow, address: Hex) {
  const creation = (await contractCreations(now.queries, [address])).get(address)
  if (!creation) return NO_CONTRACT
  const [transaction] = creation.transactionHash
    ? await transactionsByHash(now.queries, [creation.transactionHash])
    : []
  return {
    contractAddress: true,
    createContractAddress: transaction?.sender ?? '',
    createContractTransactionHash: creation.transactionHash ?? '',
    ...(await callsOfLastMonth(now, address)),
  }
}

const NO_CONTRACT = {
  contractAddress: false,
  createContractAddress: '',
  createContractTransactionHash: '',
  contractCalls: '',
  contractCallingAddresses: '',
}

/** Who called is looked up call by call: past so many it is not worth its price. */
const MOST_CALLS_LOOKED_AT = 10_000

/** Counted back from the newest block. */
async function callsOfLastMonth({ queries, nowMs }: ChainNow, address: Hex) {
  const before = await lastBlockAtTime(queries, nowMs - MONTH_MS)
  const filter = { address, from: before ? before.height + 1 : 0 } as const
  const counts = await Promise.all([
    countActivity(queries, { ...filter, role: 'to', kind: 'transaction' }),
    countActivity(queries, { ...filter, role: 'to', kind: 'internal' }),
  ])
  const calls = counts[0] + counts[1]
  return {
    contractCalls: String(calls),
    contractCallingAddresses: calls > MOST_CALLS_LOOKED_AT ? '' : String(await countCallers(queries, filter)),
  }
}
