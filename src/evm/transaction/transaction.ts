// Executes one transaction on a world state: admission, fees, run, settlement. Its changes stay in the world for the next transaction;
// a refused transaction changes nothing.

import type { RecoveredTransaction } from '../../chain/codec/recovered-transaction.ts'
import { BLOB, DEPOSIT, SET_CODE, type SignedTransaction } from '../../chain/codec/transaction.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from '../../chain/rules/addresses.ts'
import { accessListOf, effectiveGasPrice } from '../../chain/rules/transaction-fees.ts'
import type { BlockEnv } from '../core/block-env.ts'
import type { WorldState } from '../state/world-state.ts'
import { blobGasOf, refusalOf } from './admission.ts'
import { createMachine } from './create-machine.ts'
import { executeDeposit } from './deposit.ts'
import type { Execution, ExecutionOptions } from './execution.ts'
import { runMetered } from './metered-run.ts'
import { type L1Parameters, l1Fee, l1Parameters, operatorFee } from './op-fees.ts'

export function executeTransaction(
  world: WorldState,
  block: BlockEnv,
  recovered: RecoveredTransaction,
  options: ExecutionOptions = {},
): Execution {
  world.beginTransaction()
  const { transaction, raw, from } = recovered
  if (transaction.type === DEPOSIT) return executeDeposit(world, block, transaction, options)
  return executeSigned({ world, block, transaction, raw, from, options })
}

type Signed = {
  readonly world: WorldState
  readonly block: BlockEnv
  readonly transaction: SignedTransaction
  readonly raw: Uint8Array
  readonly from: bigint
  readonly options: ExecutionOptions
}

function executeSigned(signed: Signed): Execution {
  const { world, block, transaction, from, options } = signed
  const rollup = block.rules.op ? rollupPrices(signed) : null
  const refusal = refusalOf({
    world,
    block,
    transaction,
    from,
    gasAvailable: block.gasLimit - (options.gasUsedBefore ?? 0n),
    rollupFee: rollup === null ? 0n : rollup.l1Fee + rollup.operatorFee(transaction.gasLimit),
  })
  if (refusal !== null) return refusal

  const gasPrice = effectiveGasPrice(transaction, block.baseFee)
  const blobHashes = transaction.type === BLOB ? transaction.blobVersionedHashes : []
  const machine = createMachine({ world, block, origin: from, gasPrice, blobHashes, tracer: options.tracer })
  const bill = { ...signed, gasPrice, rollup }
  takeFees(bill)
  const run = runMetered(machine, messageOf(signed), transaction.gasLimit)
  const { logs } = world
  settleFees(bill, run.gasUsed)
  if (block.rules.spuriousDragon) world.endTransaction()
  else world.endTransactionKeepingEmpty()
  return {
    type: 'executed',
    succeeded: run.halt === null,
    gasUsed: run.gasUsed,
    logs,
    output: run.output,
    error: run.halt?.message ?? null,
    contractAddress: run.contractAddress,
    effectiveGasPrice: gasPrice,
    blobGasUsed: blobGasOf(transaction),
    rollup: rollup && {
      parameters: rollup.parameters,
      l1Fee: rollup.l1Fee,
      operatorFee: rollup.operatorFee(run.gasUsed),
    },
    depositNonce: null,
  }
}

function messageOf({ transaction, from }: Signed) {
  return {
    from,
    to: transaction.to,
    value: transaction.value,
    data: transaction.data,
    accessList: accessListOf(transaction),
    authorizations: transaction.type === SET_CODE ? transaction.authorizationList : [],
  }
}

/** Fees of an OP chain besides gas. The operator fee depends on the gas used in the end. */
type RollupPrices = {
  readonly parameters: L1Parameters
  readonly l1Fee: bigint
  readonly operatorFee: (gas: bigint) => bigint
}

function rollupPrices({ world, block: { rules }, raw }: Signed): RollupPrices {
  const parameters = l1Parameters(world)
  return {
    parameters,
    l1Fee: l1Fee(rules, parameters, raw),
    operatorFee: (gas) => operatorFee(rules, parameters, gas),
  }
}

type Bill = Signed & { readonly gasPrice: bigint; readonly rollup: RollupPrices | null }

function takeFees({ world, block, transaction, from, gasPrice, rollup }: Bill): void {
  const { gasLimit } = transaction
  const blobFee = blobGasOf(transaction) * block.blobBaseFee
  const rollupFee = rollup === null ? 0n : rollup.l1Fee + rollup.operatorFee(gasLimit)
  const sender = world.record(from)
  world.setBalance(sender, sender.balance - gasLimit * gasPrice - blobFee - rollupFee)
}

function settleFees({ world, block, transaction, from, gasPrice, rollup }: Bill, gasUsed: bigint): void {
  const credit = (address: bigint, amount: bigint) => {
    const record = world.record(address)
    world.setBalance(record, record.balance + amount)
  }
  credit(from, (transaction.gasLimit - gasUsed) * gasPrice)
  credit(block.coinbase, gasUsed * (gasPrice - block.baseFee))
  if (rollup === null) return
  credit(from, rollup.operatorFee(transaction.gasLimit) - rollup.operatorFee(gasUsed))
  credit(BASE_FEE_VAULT, gasUsed * block.baseFee)
  credit(L1_FEE_VAULT, rollup.l1Fee)
  if (block.rules.isthmus) credit(OPERATOR_FEE_VAULT, rollup.operatorFee(gasUsed))
}
