// EIP-4895: withdrawals, which a block pays out to validators.
import { bigintToBytes, type Hex } from '../bytes/hex.ts'
import { encodeRlp, type RlpInput, type RlpItem } from '../bytes/rlp.ts'
import { addressField, expectFields, listField, uint64Field } from '../bytes/rlp-fields.ts'
import { orderedRoot } from '../trie/ordered-root.ts'

export type Withdrawal = {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: bigint
  readonly amountGwei: bigint
}

export function withdrawalToRlp({ index, validatorIndex, address, amountGwei }: Withdrawal): RlpInput[] {
  return [index, validatorIndex, bigintToBytes(address, 20), amountGwei]
}

export function withdrawalField(item: RlpItem): Withdrawal {
  const fields = listField(item, 'withdrawal')
  expectFields(fields, 4, 'withdrawal')
  return {
    index: uint64Field(fields[0], 'withdrawal index'),
    validatorIndex: uint64Field(fields[1], 'withdrawal validator'),
    address: addressField(fields[2], 'withdrawal address'),
    amountGwei: uint64Field(fields[3], 'withdrawal amount'),
  }
}

export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Hex {
  return orderedRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalToRlp(withdrawal))))
}
