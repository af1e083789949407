// An account as the state trie stores it.
import { EMPTY_ROOT, KECCAK_EMPTY } from '../bytes/keccak.ts'
import { decodeRlpList, encodeRlp } from '../bytes/rlp.ts'
import { expectFields, fixedBytesField, uint64Field, uint256Field } from '../bytes/rlp-fields.ts'

export type StateAccount = {
  readonly nonce: bigint
  readonly balance: bigint
  readonly storageRoot: Uint8Array
  readonly codeHash: Uint8Array
}

export const EMPTY_ACCOUNT: StateAccount = { nonce: 0n, balance: 0n, storageRoot: EMPTY_ROOT, codeHash: KECCAK_EMPTY }

export function encodeAccount({ nonce, balance, storageRoot, codeHash }: StateAccount): Uint8Array {
  return encodeRlp([nonce, balance, storageRoot, codeHash])
}

export function decodeAccount(bytes: Uint8Array): StateAccount {
  const fields = decodeRlpList(bytes)
  expectFields(fields, 4, 'account')
  return {
    nonce: uint64Field(fields[0], 'nonce'),
    balance: uint256Field(fields[1], 'balance'),
    storageRoot: fixedBytesField(fields[2], 'storageRoot', 32),
    codeHash: fixedBytesField(fields[3], 'codeHash', 32),
  }
}
