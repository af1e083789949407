// The handler table of the explorer API. An endpoint without an index behind it refuses with `notReady`: an empty
// success would be a lie.
import type { Handlers } from '../contract/endpoints.ts'
import { Failure } from '../contract/failure.ts'

export const createExplorer = (): Handlers => ({
  tokenList: notIndexed,
  tokenTransferList: notIndexed,
  addressTransactionList: notIndexed,
  normalTransactionList: notIndexed,
  blockList: notIndexed,
  blockTransactionList: notIndexed,
  largeTransactionList: notIndexed,
  transactionList: notIndexed,
  blockFills: notIndexed,
  transactionMulti: notIndexed,
  tokenTransferMulti: notIndexed,
  nativeTokenPositionList: notIndexed,
  internalTransactionMulti: notIndexed,
  internalTransactionDetail: notIndexed,
  verifySourceCode: notIndexed,
  checkVerifyResult: notIndexed,
  verifyProxyContract: notIndexed,
  checkProxyVerifyResult: notIndexed,
  verifyContractInfo: notIndexed,
  logsByAddress: notIndexed,
  logsByTransaction: notIndexed,
  logsByBlockAndAddress: notIndexed,
})

const RETRY_AFTER_S = 5

const notIndexed = (): never => {
  throw new Failure('notReady', 'Service temporarily unavailable: this data is not indexed yet.', {
    retryAfterS: RETRY_AFTER_S,
  })
}
