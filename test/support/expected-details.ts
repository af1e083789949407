// What `transaction-fills` must say of a transaction, worked out from the node's own words.
import { formatEther, toFunctionSelector } from 'viem'
import { expect } from 'vitest'
import { createRecords } from './expected-records.ts'
import type { NodeFacts, TransactionFact } from './node-facts.ts'

export function createDetails(facts: NodeFacts): (transaction: TransactionFact) => unknown {
  const records = createRecords(facts)
  return (transaction) => {
    const { raw, receipt, block, index } = transaction
    const { from, to, isFromContract, isToContract, ...common } = records.inBlock(transaction)
    const { tokenId: _, tokenContractAddress: __, ...rest } = common
    return {
      ...rest,
      index: String(index),
      confirm: String(facts.blocks.length - 1 - block.height),
      inputDetails: [{ inputHash: from, isContract: isFromContract, amount: rest.amount }],
      outputDetails: [{ outputHash: to, isContract: isToContract, amount: rest.amount }],
      gasLimit: BigInt(raw.gas).toString(),
      gasUsed: BigInt(receipt.gasUsed).toString(),
      gasPrice: formatEther(BigInt(receipt.effectiveGasPrice)),
      nonce: BigInt(raw.nonce).toString(),
      transactionType: String(Number(raw.type)),
      errorLog: receipt.status === '0x1' ? '' : expect.stringMatching(/./),
      inputData: raw.input,
      // No contract is verified in this test, so names come from selectors.
      decodedInput: expect.toSatisfy((calls: { method: string; isGuess: boolean }[]) =>
        calls.every(
          ({ method, isGuess }) => isGuess && toFunctionSelector(`function ${method}`) === raw.input.slice(0, 10),
        ),
      ),
      totalTransactionSize: '',
      virtualSize: '',
      unknownFields: '',
      weight: '',
      isAaTransaction: false,
      internalTransactionsComplete: true,
      tokenTransferDetails: facts.transfers
        .filter((each) => each.transaction === transaction)
        .map((each, i) => {
          const { txId: _, blockHash: __, height: ___, transactionTime: ____, ...shown } = records.transferByHash(each)
          return { index: String(i), token: facts.tokens.get(each.token)!.name, ...shown }
        }),
      contractDetails: facts.internals
        .filter((each) => each.transaction === transaction)
        .map((each, i) => {
          const { txId: _, blockHash: __, height: ___, transactionTime: ____, ...shown } = records.internalByHash(each)
          const gasLimit = BigInt(each.frame.gas).toString()
          return { index: String(i), ...shown, gasLimit, state: each.failed ? 'fail' : 'success' }
        }),
    }
  }
}
