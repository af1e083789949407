// Small builders for tests of the engine.

import { EMPTY_BYTES } from '../../src/chain/bytes/hex.ts'
import { addressOfPrivateKey } from '../../src/chain/bytes/secp256k1.ts'
import { type RecoveredTransaction, signTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import { FEE_MARKET, type FeeMarketTransaction, type Unsigned } from '../../src/chain/codec/transaction.ts'
import type { Fork } from '../../src/chain/rules/forks.ts'
import { rulesOfFork } from '../../src/chain/rules/forks.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { Execution, ExecutionResult } from '../../src/evm/transaction/execution.ts'

export const SENDER_KEY = new Uint8Array(32).fill(7)
export const SENDER = addressOfPrivateKey(SENDER_KEY)
export const ETHER = 10n ** 18n

export function blockOf(fork: Fork, changes: Partial<BlockEnv> = {}): BlockEnv {
  return {
    chainId: 1n,
    rules: rulesOfFork(fork),
    number: 100,
    timestamp: 1_700_000_000,
    gasLimit: 30_000_000n,
    coinbase: 0xc01bn,
    baseFee: 10n,
    blobBaseFee: 1n,
    prevRandao: 0n,
    ...changes,
  }
}

export function transactionOf(changes: Partial<Unsigned<FeeMarketTransaction>> = {}): RecoveredTransaction {
  return signTransaction(
    {
      type: FEE_MARKET,
      chainId: 1n,
      nonce: 0n,
      gasLimit: 100_000n,
      to: 0xbeefn,
      value: 0n,
      data: EMPTY_BYTES,
      maxFeePerGas: 12n,
      maxPriorityFeePerGas: 2n,
      accessList: [],
      ...changes,
    },
    SENDER_KEY,
  )
}

export function executed(execution: Execution): ExecutionResult {
  if (execution.type === 'refused') throw new Error(execution.message)
  return execution
}
