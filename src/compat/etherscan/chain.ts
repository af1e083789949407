// module=block, transaction, logs, contract, token and stats
import type { Hex } from '../../chain/bytes/hex.ts'
import { holderBalanceSource, tokenBalanceSource } from '../../explorer/records/balance-source.ts'
import { precisionOf } from '../../explorer/records/token-record.ts'
import type { ChainContext } from '../../explorer/state/chain-context.ts'
import { blockAt, firstBlockSinceTime, lastBlockAtTime } from '../../store/read/blocks.ts'
import { transactionsAt } from '../../store/read/chain-rows.ts'
import { contractCreations } from '../../store/read/contracts.ts'
import { addressLogs, logsByTopic } from '../../store/read/logs.ts'
import { tokenHolders } from '../../store/read/token-balances.ts'
import { type Token, tokensByAddress } from '../../store/read/tokens.ts'
import { transactionsByHash } from '../../store/read/transactions.ts'
import { answered, EtherscanRefusal, listed, NO_RECORDS } from './answer.ts'
import {
  type Action,
  addressesFrom,
  addressFrom,
  type EtherscanQuery,
  hashFrom,
  heightFrom,
  pageFrom,
  rangeFrom,
} from './query.ts'
import { logRecord, seconds } from './records.ts'

const MOST_LOGS = 1_000
const MOST_CONTRACTS = 5

const getblockreward: Action = async ({ reader }, query) => {
  const block = await blockAt(reader, heightFrom(query.blockno))
  if (!block) throw new EtherscanRefusal('Error! Block does not exist')
  return answered({
    blockNumber: String(block.height),
    timeStamp: seconds(block.timestampMs),
    blockMiner: block.miner,
    blockReward: (block.reward + block.totalFee - block.burnt).toString(),
    uncles: [],
    uncleInclusionReward: '0',
  })
}

const getblocknobytime: Action = async ({ reader }, { timestamp, closest }) => {
  if (!/^\d{1,12}$/.test(timestamp ?? '')) throw new EtherscanRefusal('Error! Invalid parameter')
  // A block of this very second counts for both.
  const block =
    closest === 'after'
      ? await firstBlockSinceTime(reader, Number(timestamp) * 1000)
      : await lastBlockAtTime(reader, Number(timestamp) * 1000 + 999)
  if (!block) throw new EtherscanRefusal('Error! No closest block found')
  return answered(String(block.height))
}

const getstatus: Action = async ({ reader }, query) => {
  const [row] = await transactionsByHash(reader, [hashFrom(query.txhash)])
  return answered({ isError: row?.status === 0 ? '1' : '0', errDescription: row?.error ?? '' })
}

const gettxreceiptstatus: Action = async ({ reader }, query) => {
  const [row] = await transactionsByHash(reader, [hashFrom(query.txhash)])
  return answered({ status: row && row.status !== null ? String(row.status) : '' })
}

const getLogs: Action = async (chain, query) => {
  const { reader } = chain
  const topics = [query.topic0, query.topic1, query.topic2, query.topic3].map((topic) =>
    topic ? hashFrom(topic) : null,
  )
  const filter = { topics, either: eitherOf(query), ...rangeFrom(chain, { from: query.fromBlock, to: query.toBlock }) }
  const page = pageFrom(query, MOST_LOGS)
  const ofAnyContract = !query.address && topics.some((topic) => topic !== null)
  const rows = ofAnyContract
    ? await logsByTopic(reader, filter, page)
    : await addressLogs(reader, { ...filter, address: addressFrom(query.address), order: 'oldest' }, page)
  if (!rows) throw new EtherscanRefusal('Error! Block range too large: ask for fewer blocks, or give an address')
  const outers = await transactionsAt(reader, [...new Set(rows.map(({ txPos }) => txPos))])
  const byPosition = new Map(outers.map((outer) => [outer.pos, outer]))
  return listed(
    rows.map((row) => logRecord(row, byPosition.get(row.txPos))),
    NO_RECORDS,
  )
}

/** Pairs of topic positions of which one match is enough: `topic0_1_opr=or`. */
function eitherOf(query: EtherscanQuery): [number, number][] {
  return TOPIC_PAIRS.filter(([a, b]) => query[`topic${a}_${b}_opr`]?.toLowerCase() === 'or')
}

const TOPIC_PAIRS: [number, number][] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
]

const getcontractcreation: Action = async ({ reader }, query) => {
  const asked = addressesFrom(query.contractaddresses, MOST_CONTRACTS)
  const creations = [...(await contractCreations(reader, asked)).values()].filter((each) => each.transactionHash)
  const outers = await transactionsByHash(reader, [...new Set(creations.map((each) => each.transactionHash as Hex))])
  const senders = new Map(outers.map(({ hash, sender }) => [hash, sender]))
  return listed(
    creations.map(({ address, creator, transactionHash, height, timestampMs }) => {
      const sender = senders.get(transactionHash!) ?? creator
      return {
        contractAddress: address,
        contractCreator: sender,
        txHash: transactionHash,
        blockNumber: String(height),
        timestamp: seconds(timestampMs),
        contractFactory: creator === sender ? '' : creator,
        creationBytecode: '',
      }
    }),
    'No data found',
  )
}

async function tokenOf({ reader }: ChainContext, text: string | undefined): Promise<Token> {
  const address = addressFrom(text)
  const token = (await tokensByAddress(reader, [address])).get(address)
  if (!token) throw new EtherscanRefusal('Error! Token does not exist')
  return token
}

const tokeninfo: Action = async (chain, query) => {
  const token = await tokenOf(chain, query.contractaddress)
  return answered([
    {
      contractAddress: token.address,
      tokenName: token.name ?? '',
      symbol: token.symbol ?? '',
      divisor: String(precisionOf(token)),
      tokenType: `ERC${token.kind}`,
      totalSupply: token.supply?.toString() ?? '',
      website: token.market?.website ?? '',
      tokenPriceUSD: token.market?.price ?? '',
      image: token.market?.logoUrl ?? '',
      ...tokenBalanceSource(token),
    },
  ])
}

const tokenholderlist: Action = async (chain, query) => {
  const token = await tokenOf(chain, query.contractaddress)
  const { limit, offset } = pageFrom(query)
  const rows = await tokenHolders(chain.reader, token.address, { limit, offset })
  return listed(
    rows.map(({ address, balance, readHeight }) => ({
      TokenHolderAddress: address,
      TokenHolderQuantity: balance.toString(),
      ...holderBalanceSource(token, readHeight),
    })),
    NO_RECORDS,
  )
}

const tokenholdercount: Action = async (chain, query) =>
  answered(String((await tokenOf(chain, query.contractaddress)).holders))

const tokensupply: Action = async (chain, query) =>
  answered((await tokenOf(chain, query.contractaddress)).supply?.toString() ?? '')

export const block = { getblockreward, getblocknobytime }
export const transaction = { getstatus, gettxreceiptstatus }
export const logs = { getLogs }
export const contract = { getcontractcreation }
export const token = { tokeninfo, tokenholderlist, tokenholdercount }
export const stats = { tokensupply }
