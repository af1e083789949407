// What an address is: its balance, its activity and, for a contract, who created it and how much it is used.
import type { Hex } from '../chain/bytes/hex.ts'
import { activityEnds, countActivity, countCallers } from '../store/read/activity.ts'
import { blocksAt, lastBlockAtTime } from '../store/read/blocks.ts'
import { contractCreations } from '../store/read/contracts.ts'
import { tokensByAddress } from '../store/read/tokens.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import { heightOf } from '../store/schema/position.ts'
import { shownBalances } from './native-balances.ts'
import { nativeUnits } from './records/parts.ts'
import type { AnswerTo, ChainContext } from './state/chain-context.ts'

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

export const addressInformation: AnswerTo<'addressInformation'> = async (chain, { address }) => {
  const { reader, names } = chain
  const filter = { address, kind: 'transaction' } as const
  const [balances, transactionCount, ends, contract, tokens] = await Promise.all([
    shownBalances(chain, [address]),
    countActivity(reader, filter),
    activityEnds(reader, filter),
    contractOf(chain, address),
    tokensByAddress(reader, [address]),
  ])
  const times = new Map(
    (await blocksAt(reader, ends ? [heightOf(ends.first), heightOf(ends.last)] : [])).map((block) => [
      block.height,
      String(block.timestampMs),
    ]),
  )
  const shown = balances.get(address)!
  return {
    data: [
      {
        address,
        balance: shown.balance === null ? '' : nativeUnits(shown.balance),
        balanceExact: shown.isExact,
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

async function contractOf(chain: ChainContext, address: Hex) {
  const creation = (await contractCreations(chain.reader, [address])).get(address)
  if (!creation) return NO_CONTRACT
  const [transaction] = creation.transactionHash
    ? await transactionsByHash(chain.reader, [creation.transactionHash])
    : []
  return {
    contractAddress: true,
    createContractAddress: transaction?.sender ?? '',
    createContractTransactionHash: creation.transactionHash ?? '',
    ...(await callsOfLastMonth(chain, address)),
  }
}

const NO_CONTRACT = {
  contractAddress: false,
  createContractAddress: '',
  createContractTransactionHash: '',
  contractCalls: '',
  contractCallingAddresses: '',
}

/** Callers are read call by call; with more calls their number is not computed. */
const MOST_CALLS_READ = 10_000

/** Counted back from the newest block. */
async function callsOfLastMonth({ reader, nowMs }: ChainContext, address: Hex) {
  const before = await lastBlockAtTime(reader, nowMs - MONTH_MS)
  const filter = { address, from: before ? before.height + 1 : 0 } as const
  const counts = await Promise.all([
    countActivity(reader, { ...filter, role: 'to', kind: 'transaction' }),
    countActivity(reader, { ...filter, role: 'to', kind: 'internal' }),
  ])
  const calls = counts[0] + counts[1]
  return {
    contractCalls: String(calls),
    contractCallingAddresses: calls > MOST_CALLS_READ ? '' : String(await countCallers(reader, filter)),
  }
}
