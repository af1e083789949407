// Decides whether the pool accepts a transaction: whether it could ever run, given the state after the open block. The rules are those of
// execution, except that the nonce may be ahead and the current base fee does not matter.

import { RlpError } from '../../src/chain/bytes/rlp.ts'
import { recoverPooledTransaction } from '../../src/chain/codec/pooled-transaction.ts'
import type { RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { InvalidSignature } from '../../src/chain/codec/recovered-transaction.ts'
import { DEPOSIT, type SignedTransaction } from '../../src/chain/codec/transaction.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import { MAX_NONCE } from '../../src/evm/core/gas.ts'
import type { StateSource } from '../../src/evm/state/state-source.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import { refusalOf } from '../../src/evm/transaction/admission.ts'
import { l1Fee, l1Parameters, operatorFee } from '../../src/evm/transaction/op-fees.ts'
import { isSponsored, recoverSponsored } from './own-transaction.ts'

export type SignedRecovered = RecoveredTransaction & { readonly transaction: SignedTransaction }

export type Admission = {
  /** The state after the open block. */
  readonly state: () => StateSource
  readonly env: () => BlockEnv
  /** Whether sponsored transactions are known. */
  readonly ownRules: boolean
}

/** Other nodes do not pass on larger transactions either. */
const MAX_TRANSACTION_BYTES = 128 * 1024

/** A string is the reason for a refusal. */
export function recoverSigned(raw: Uint8Array, { ownRules }: Pick<Admission, 'ownRules'>): SignedRecovered | string {
  if (raw.length > MAX_TRANSACTION_BYTES) {
    return `oversized data: transaction size ${raw.length}, limit ${MAX_TRANSACTION_BYTES}`
  }
  const recover = ownRules && isSponsored({ raw }) ? recoverSponsored : recoverPooled
  const recovered = recovery(raw, recover)
  if (typeof recovered === 'string') return recovered
  return isSigned(recovered) ? recovered : 'transaction type not supported'
}

/** Why the transaction could never run, or null. */
export function problemOf({ state, env }: Admission, { transaction, from, raw }: SignedRecovered): string | null {
  const block = env()
  const { rules } = block
  const world = new WorldState(state())
  const { nonce } = world.record(from)
  if (transaction.nonce < nonce) return `nonce too low: next nonce ${nonce}, tx nonce ${transaction.nonce}`
  if (transaction.nonce === MAX_NONCE) return `nonce has max value: ${transaction.nonce}`
  if (transaction.gasLimit > block.gasLimit) return 'exceeds block gas limit'
  const parameters = l1Parameters(world)
  const refusal = refusalOf({
    world,
    block: { ...block, baseFee: 0n },
    transaction: { ...transaction, nonce },
    from,
    gasAvailable: block.gasLimit,
    rollupFee: l1Fee(rules, parameters, raw) + operatorFee(rules, parameters, transaction.gasLimit),
  })
  return refusal?.message ?? null
}

function recoverPooled(raw: Uint8Array): RecoveredTransaction {
  return recoverPooledTransaction(raw).recovered
}

function recovery(raw: Uint8Array, recover: (raw: Uint8Array) => RecoveredTransaction): RecoveredTransaction | string {
  try {
    return recover(raw)
  } catch (error) {
    if (error instanceof RlpError) return error.message
    if (error instanceof InvalidSignature) return 'invalid sender'
    throw error
  }
}

export function isSigned(recovered: RecoveredTransaction): recovered is SignedRecovered {
  return recovered.transaction.type !== DEPOSIT
}
