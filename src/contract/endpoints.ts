// Every explorer endpoint by name. The handler table, the routes, the client and the OpenAPI document are derived from it.
import {
  addressInformation,
  addressTokenBalance,
  addressTransactionList,
  internalTransactionList,
  nativeTokenPositionList,
  normalTransactionList,
  tokenTransactionList,
} from './addresses.ts'
import { blockFills, blockHeightByTime, blockList, blockTransactionList } from './blocks.ts'
import {
  checkProxyVerifyResult,
  checkVerifyResult,
  contractCreationInfo,
  verifyContractInfo,
  verifyProxyContract,
  verifySourceCode,
} from './contracts.ts'
import type { Answer, Endpoint, ParamsOf } from './endpoint.ts'
import { logsByAddress, logsByAddressAndTopic, logsByBlockAndAddress, logsByTransaction } from './logs.ts'
import {
  flashblockDetail,
  flashblockList,
  preconfirmationBlock,
  preconfirmationQuality,
  preconfirmationTransaction,
} from './preconfirmations.ts'
import { tokenList, tokenPositionList, tokenTransferList } from './tokens.ts'
import {
  internalTransactionDetail,
  internalTransactionMulti,
  largeTransactionList,
  tokenTransferMulti,
  transactionFills,
  transactionList,
  transactionMulti,
  unconfirmedTransactionList,
} from './transactions.ts'

export const endpoints = {
  tokenList,
  tokenTransferList,
  addressTransactionList,
  addressInformation,
  addressTokenBalance,
  normalTransactionList,
  internalTransactionList,
  tokenTransactionList,
  blockList,
  blockHeightByTime,
  blockTransactionList,
  largeTransactionList,
  transactionList,
  unconfirmedTransactionList,
  blockFills,
  transactionMulti,
  transactionFills,
  tokenTransferMulti,
  nativeTokenPositionList,
  tokenPositionList,
  internalTransactionMulti,
  internalTransactionDetail,
  verifySourceCode,
  checkVerifyResult,
  verifyProxyContract,
  checkProxyVerifyResult,
  verifyContractInfo,
  contractCreationInfo,
  logsByAddress,
  logsByAddressAndTopic,
  logsByTransaction,
  logsByBlockAndAddress,
  preconfirmationQuality,
  preconfirmationTransaction,
  flashblockList,
  flashblockDetail,
  preconfirmationBlock,
} as const

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

/** What a handler may know of the request besides its parameters. */
export type RequestContext = {
  readonly requestId: string
  /** Who is charged for the work: the key that signed the request, otherwise the address. */
  readonly client: string
  /** Fires when the client goes away or the time for an answer is over. */
  readonly signal: AbortSignal
}

/** A request whose chain state is known and whose answer does not exist yet. */
export type BegunRequest<E extends Endpoint = Endpoint> = {
  /** The same request has the same answer as long as this is the same; undefined where it may change at any time. */
  readonly chainVersion: string | undefined
  readonly answer: () => Promise<Answer<E>>
}

export type Handler<E extends Endpoint> = {
  (params: ParamsOf<E>, context: RequestContext): Promise<Answer<E>> | Answer<E>
  /** Handlers of chain data have it: the response can be cached. */
  readonly begin?: (params: ParamsOf<E>) => Promise<BegunRequest<E>>
}

/** One handler an endpoint; a missing one does not compile. */
export type Handlers = { readonly [N in EndpointName]: Handler<Endpoints[N]> }
