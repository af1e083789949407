// The handler table of the explorer API. Until the first block is stored it refuses with `notReady`: an empty success would be
// a lie.
import type { EndpointName, Handlers } from '../contract/endpoints.ts'
import { withMemory } from '../store/read/chain-reader.ts'
import { addressInformation } from './address-information.ts'
import {
  addressTransactionList,
  internalTransactionList,
  nativeTokenPositionList,
  normalTransactionList,
  showsPending,
  tokenTransactionList,
} from './addresses.ts'
import { blockFills, blockHeightByTime, blockList, blockTransactionList } from './blocks.ts'
import { contractCreationInfo } from './contracts.ts'
import { transactionFills } from './fills.ts'
import { createKeptAnswers } from './lists/cached-answers.ts'
import { logsByAddress, logsByAddressAndTopic, logsByBlockAndAddress, logsByTransaction } from './logs.ts'
import { createPreconfirmationAnswers } from './preconfirmations.ts'
import { type AnswerTo, type ChainNow, chainNow, type ExplorerOptions, ofOneState } from './state/chain-now.ts'
import { addressTokenBalance } from './token-balances.ts'
import { tokenList, tokenPositionList, tokenTransferList } from './tokens.ts'
import {
  internalTransactionDetail,
  internalTransactionMulti,
  largeTransactionList,
  tokenTransferMulti,
  transactionList,
  transactionMulti,
} from './transactions.ts'
import { createVerificationHandlers } from './verification.ts'

/** Pages are some ten kilobytes, answers with logs up to a megabyte. */
const PAGES_KEPT = 1_000
const LOG_ANSWERS_KEPT = 30
const LARGEST_PAGE = 100

export function createExplorer(given: ExplorerOptions): Handlers {
  const options = { ...given, queries: withMemory(given.queries) }
  const pages = createKeptAnswers(PAGES_KEPT)
  const logAnswers = createKeptAnswers(LOG_ANSWERS_KEPT)

  const keptIn =
    (keep: typeof pages) =>
    <N extends EndpointName>(
      name: N,
      answer: AnswerTo<N>,
      isFleeting?: (now: ChainNow, params: Parameters<AnswerTo<N>>[1]) => boolean,
    ): Handlers[N] => {
      const handler = async (params: Parameters<AnswerTo<N>>[1]) => {
        const begun = await chainNow(options)
        const make = () => ofOneState({ options, begun }, (now) => answer(now, params))
        // A stretch of a stream is asked for once.
        if ('limit' in params && params.limit > LARGEST_PAGE) return make()
        if (isFleeting?.(begun.now, params)) return make()
        return keep(name, params, begun.version, make)
      }
      return handler as unknown as Handlers[N]
    }
  const kept = keptIn(pages)
  const keptLogs = keptIn(logAnswers)

  return {
    tokenList: kept('tokenList', tokenList),
    tokenTransferList: kept('tokenTransferList', tokenTransferList),
    tokenPositionList: kept('tokenPositionList', tokenPositionList),
    addressTransactionList: kept('addressTransactionList', addressTransactionList, showsPending),
    addressInformation: kept('addressInformation', addressInformation),
    addressTokenBalance: kept('addressTokenBalance', addressTokenBalance),
    normalTransactionList: kept('normalTransactionList', normalTransactionList),
    internalTransactionList: kept('internalTransactionList', internalTransactionList),
    tokenTransactionList: kept('tokenTransactionList', tokenTransactionList),
    nativeTokenPositionList: kept('nativeTokenPositionList', nativeTokenPositionList),
    blockList: kept('blockList', blockList),
    blockHeightByTime: kept('blockHeightByTime', blockHeightByTime),
    blockTransactionList: kept('blockTransactionList', blockTransactionList),
    blockFills: kept('blockFills', blockFills),
    largeTransactionList: kept('largeTransactionList', largeTransactionList),
    transactionList: kept('transactionList', transactionList),
    transactionMulti: kept('transactionMulti', transactionMulti),
    transactionFills: keptLogs('transactionFills', transactionFills),
    tokenTransferMulti: kept('tokenTransferMulti', tokenTransferMulti),
    internalTransactionMulti: kept('internalTransactionMulti', internalTransactionMulti),
    internalTransactionDetail: kept('internalTransactionDetail', internalTransactionDetail),
    contractCreationInfo: kept('contractCreationInfo', contractCreationInfo),
    logsByAddress: keptLogs('logsByAddress', logsByAddress),
    logsByAddressAndTopic: keptLogs('logsByAddressAndTopic', logsByAddressAndTopic),
    logsByTransaction: keptLogs('logsByTransaction', logsByTransaction),
    logsByBlockAndAddress: keptLogs('logsByBlockAndAddress', logsByBlockAndAddress),
    // Their rows change without a commit of the chain: nothing of them is remembered.
    ...createPreconfirmationAnswers(given),
    ...createVerificationHandlers(options),
  }
}
