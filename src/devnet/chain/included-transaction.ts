// What a receipt leaves unsaid about its transaction and what follows from the block.
import { createAddress } from '../../chain/create-address.ts'
import type { Rules } from '../../chain/forks.ts'
import type { Receipt } from '../../chain/receipt.ts'
import type { RecoveredTransaction } from '../../chain/recovered-transaction.ts'
import type { OpFeeName } from '../../chain/rpc-types.ts'
import { DEPOSIT } from '../../chain/transaction.ts'
import { daFootprint, type L1Parameters, l1Fee, l1GasUsed } from '../../evm/op-fees.ts'
import type { IncludedTransaction } from './chain.ts'

export type BlockFees = { readonly rules: Rules; readonly parameters: L1Parameters }

/** `previous` is the one before it in its block. */
export function includedTransaction(
  fees: BlockFees,
  included: { recovered: RecoveredTransaction; receipt: Receipt; previous: IncludedTransaction | undefined },
): IncludedTransaction {
  const { recovered, receipt, previous } = included
  const known = {
    recovered,
    receipt,
    gasUsed: receipt.cumulativeGasUsed - (previous?.receipt.cumulativeGasUsed ?? 0n),
    contractAddress: contractAddressOf(recovered, receipt),
    firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.receipt.logs.length,
  }
  if (recovered.transaction.type === DEPOSIT) return known
  return {
    ...known,
    // Only when somebody asks: it compresses the transaction, which takes longer than everything else about it.
    get opFees() {
      return opFeesOf(fees, recovered.raw)
    },
  }
}

function contractAddressOf({ transaction, from }: RecoveredTransaction, { depositNonce }: Receipt): bigint | null {
  if (transaction.to !== null) return null
  return createAddress(from, transaction.type === DEPOSIT ? (depositNonce ?? 0n) : transaction.nonce)
}

function opFeesOf({ rules, parameters }: BlockFees, raw: Uint8Array): { [name in OpFeeName]?: bigint } {
  return {
    l1Fee: l1Fee(rules, parameters, raw),
    l1GasUsed: l1GasUsed(rules, raw),
    l1GasPrice: parameters.baseFee,
    l1BaseFeeScalar: parameters.baseFeeScalar,
    l1BlobBaseFee: parameters.blobBaseFee,
    l1BlobBaseFeeScalar: parameters.blobBaseFeeScalar,
    operatorFeeScalar: parameters.operatorFeeScalar,
    operatorFeeConstant: parameters.operatorFeeConstant,
    ...(rules.jovian && {
      daFootprintGasScalar: parameters.daFootprintGasScalar,
      blobGasUsed: daFootprint(parameters, raw),
    }),
  }
}
