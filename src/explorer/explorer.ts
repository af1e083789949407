// The handler table of the explorer API. Handlers of chain data can begin a request and make its answer later, so that HTTP finds the
// response of the same request to the same chain state in its cache.
import type { Handlers } from '../contract/endpoints.ts'
import { addressInformation } from './address-information.ts'
import {
  addressTransactionList,
  internalTransactionList,
  nativeTokenPositionList,
  normalTransactionList,
  showsPending,
  tokenTransactionList,
} from './addresses.ts'
import { blockFills, blockHeightByTime, blockList, blockTransactionList, showsPendingBlock } from './blocks.ts'
import { contractCreationInfo } from './contracts.ts'
import { transactionFills } from './fills.ts'
import { logsByAddress, logsByAddressAndTopic, logsByBlockAndAddress, logsByTransaction } from './logs.ts'
import { mayAskNode } from './native-balances.ts'
import { createPreconfirmationHandlers } from './preconfirmations.ts'
import { answerFromOneState, type ChainContext, type ExplorerOptions, openChain } from './state/chain-context.ts'
import { addressTokenBalance } from './token-balances.ts'
import { showsPendingTransfers, tokenList, tokenPositionList, tokenTransferList } from './tokens.ts'
import {
  internalTransactionDetail,
  internalTransactionMulti,
  largeTransactionList,
  showsPendingLarge,
  showsPendingNewest,
  tokenTransferMulti,
  transactionList,
  transactionMulti,
  unconfirmedTransactionList,
} from './transactions.ts'
import { createVerificationHandlers } from './verification.ts'

/** Longer pages are pieces of a stream, each of which is requested once. */
const LARGEST_PAGE = 100

export function createExplorer(options: ExplorerOptions): Handlers {
  /** `isVolatile`: the answer can change before the chain state does. */
  const fromChain = <P extends object, A>(
    answer: (chain: ChainContext, params: P) => Promise<A>,
    isVolatile?: (chain: ChainContext, params: P) => boolean,
  ) => {
    const begin = async (params: P) => {
      const opened = await openChain(options)
      const isPiece = 'limit' in params && Number(params.limit) > LARGEST_PAGE
      return {
        chainVersion: isPiece || isVolatile?.(opened.chain, params) ? undefined : opened.version,
        answer: () => answerFromOneState({ options, opened }, (chain) => answer(chain, params)),
      }
    }
    return Object.assign(async (params: P) => (await begin(params)).answer(), { begin })
  }

  return {
    tokenList: fromChain(tokenList),
    tokenTransferList: fromChain(tokenTransferList, showsPendingTransfers),
    tokenPositionList: fromChain(tokenPositionList),
    addressTransactionList: fromChain(addressTransactionList, showsPending),
    addressInformation: fromChain(addressInformation, mayAskNode),
    addressTokenBalance: fromChain(addressTokenBalance),
    normalTransactionList: fromChain(normalTransactionList, (chain, params) =>
      showsPending(chain, { ...params, protocolType: 'transaction' }),
    ),
    internalTransactionList: fromChain(internalTransactionList, (chain, params) =>
      showsPending(chain, { ...params, protocolType: 'internal' }),
    ),
    tokenTransactionList: fromChain(tokenTransactionList, showsPending),
    nativeTokenPositionList: fromChain(nativeTokenPositionList),
    blockList: fromChain(blockList),
    blockHeightByTime: fromChain(blockHeightByTime),
    blockTransactionList: fromChain(blockTransactionList, showsPendingBlock),
    blockFills: fromChain(blockFills),
    largeTransactionList: fromChain(largeTransactionList, showsPendingLarge),
    transactionList: fromChain(transactionList, showsPendingNewest),
    unconfirmedTransactionList: fromChain(unconfirmedTransactionList, () => true),
    transactionMulti: fromChain(transactionMulti),
    transactionFills: fromChain(transactionFills),
    tokenTransferMulti: fromChain(tokenTransferMulti),
    internalTransactionMulti: fromChain(internalTransactionMulti),
    internalTransactionDetail: fromChain(internalTransactionDetail),
    contractCreationInfo: fromChain(contractCreationInfo),
    logsByAddress: fromChain(logsByAddress),
    logsByAddressAndTopic: fromChain(logsByAddressAndTopic),
    logsByTransaction: fromChain(logsByTransaction),
    logsByBlockAndAddress: fromChain(logsByBlockAndAddress),
    // Preconfirmations and verification jobs change without a block, so their responses are never cached.
    ...createPreconfirmationHandlers(options),
    ...createVerificationHandlers(options),
  }
}
