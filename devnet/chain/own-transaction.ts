// A transaction type that no other chain has, for a devnet with rules of its own (`DEVNET_OWN_RULES`). It is a fee-market transaction
// whose fees somebody else pays: it has bytes, a hash and a receipt type of its own, and names its payer. Inside this program it is a
// fee-market transaction; its first byte says what it is.
import { bigintToBytes, bytesToHex, EMPTY_BYTES, type Hex } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { decodeRlpList, encodeTyped, RlpError, type RlpInput } from '../../src/chain/bytes/rlp.ts'
import {
  addressField,
  booleanField,
  bytesField,
  expectFields,
  recipientField,
  uint64Field,
  uint256Field,
} from '../../src/chain/bytes/rlp-fields.ts'
import { isLowS, recoverAddress, signHash } from '../../src/chain/bytes/secp256k1.ts'
import { decodeReceipt, type Receipt } from '../../src/chain/codec/receipt.ts'
import { InvalidSignature, type RecoveredTransaction } from '../../src/chain/codec/recovered-transaction.ts'
import {
  FEE_MARKET,
  type FeeMarketTransaction,
  type Transaction,
  type Unsigned,
} from '../../src/chain/codec/transaction.ts'
import { decodeTransaction } from '../../src/chain/codec/transaction-codec.ts'
import type { BlockEnv } from '../../src/evm/core/block-env.ts'
import type { WorldState } from '../../src/evm/state/world-state.ts'
import type { Execution, ExecutionOptions, ExecutionResult } from '../../src/evm/transaction/execution.ts'
import { executeTransaction } from '../../src/evm/transaction/transaction.ts'
import { SPONSOR } from '../genesis/own-rules.ts'

/** EIP-2718 type. */
export const SPONSORED = 0x7d as const

type Sponsored = Unsigned<FeeMarketTransaction>

export function isSponsored({ raw }: Pick<RecoveredTransaction, 'raw'>): boolean {
  return raw[0] === SPONSORED
}

/** The type as the chain counts it. */
export function typeNumberOf(recovered: RecoveredTransaction): number {
  return isSponsored(recovered) ? SPONSORED : recovered.transaction.type
}

export function signSponsored(unsigned: Sponsored, privateKey: Uint8Array): { raw: Uint8Array; hash: Hex } {
  const { r, s, yParity } = signHash(keccak256(encodeTyped(SPONSORED, fieldsOf(unsigned))), privateKey)
  const raw = encodeTyped(SPONSORED, [...fieldsOf(unsigned), yParity, r, s])
  return { raw, hash: bytesToHex(keccak256(raw)) }
}

/** Throws `RlpError` on malformed bytes or a wrong payer, and `InvalidSignature` if the signature gives no sender. */
export function recoverSponsored(raw: Uint8Array): RecoveredTransaction {
  const transaction = decodeSponsored(raw)
  const hash = bytesToHex(keccak256(raw))
  const signingHash = keccak256(encodeTyped(SPONSORED, fieldsOf(transaction)))
  const from = isLowS(transaction.signature.s) ? recoverAddress(signingHash, transaction.signature) : null
  if (from === null) throw new InvalidSignature(`no sender recovered from the signature of ${hash}`)
  return { transaction, raw, hash, from }
}

/** A transaction of any type that a block of the devnet can have. */
export function decodeAnyTransaction(raw: Uint8Array): Transaction {
  return isSponsored({ raw }) ? decodeSponsored(raw) : decodeTransaction(raw)
}

/** The receipt of a sponsored transaction has the form of a fee-market one. */
export function decodeAnyReceipt(bytes: Uint8Array): Receipt {
  if (bytes[0] !== SPONSORED) return decodeReceipt(bytes)
  return { ...decodeReceipt(Uint8Array.of(FEE_MARKET, ...bytes.subarray(1))), type: SPONSORED }
}

/** As `executeTransaction`, but the sponsor gives back to the sender what a sponsored transaction cost. */
export function executeAny(
  world: WorldState,
  env: BlockEnv,
  recovered: RecoveredTransaction,
  options: ExecutionOptions = {},
): Execution {
  const execution = executeTransaction(world, env, recovered, options)
  if (execution.type === 'refused' || !isSponsored(recovered)) return execution
  const fee = feeOf(execution)
  const [payer, sender] = [world.record(SPONSOR), world.record(recovered.from)]
  world.setBalance(payer, payer.balance - fee)
  world.setBalance(sender, sender.balance + fee)
  return execution
}

function feeOf({ gasUsed, effectiveGasPrice, rollup }: ExecutionResult): bigint {
  return gasUsed * effectiveGasPrice + (rollup === null ? 0n : rollup.l1Fee + rollup.operatorFee)
}

function fieldsOf({ chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit, to, value, data }: Sponsored) {
  const recipient = to === null ? EMPTY_BYTES : bigintToBytes(to, ADDRESS_BYTES)
  const fields: RlpInput[] = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit, recipient, value, data]
  return [...fields, bigintToBytes(SPONSOR, ADDRESS_BYTES)]
}

function decodeSponsored(raw: Uint8Array): FeeMarketTransaction {
  const fields = decodeRlpList(raw.subarray(1))
  expectFields(fields, 12, 'transaction')
  // Anybody could spend the money of a payer who did not sign, so there is one payer, who pays for all.
  if (addressField(fields[8], 'payer') !== SPONSOR) throw new RlpError('the payer does not pay for others')
  return {
    type: FEE_MARKET,
    chainId: uint256Field(fields[0], 'chainId'),
    nonce: uint64Field(fields[1], 'nonce'),
    maxPriorityFeePerGas: uint256Field(fields[2], 'maxPriorityFeePerGas'),
    maxFeePerGas: uint256Field(fields[3], 'maxFeePerGas'),
    gasLimit: uint64Field(fields[4], 'gasLimit'),
    to: recipientField(fields[5], 'to'),
    value: uint256Field(fields[6], 'value'),
    data: bytesField(fields[7], 'data'),
    accessList: [],
    signature: {
      yParity: booleanField(fields[9], 'yParity') ? 1 : 0,
      r: uint256Field(fields[10], 'r'),
      s: uint256Field(fields[11], 's'),
    },
  }
}

const ADDRESS_BYTES = 20
