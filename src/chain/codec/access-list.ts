// EIP-2930: addresses and storage slots that are warm when a transaction begins.
import { bigintToBytes } from '../bytes/hex.ts'
import type { RlpInput, RlpItem } from '../bytes/rlp.ts'
import { addressField, expectFields, listField, wordField } from '../bytes/rlp-fields.ts'

export type AccessList = readonly AccessListEntry[]
export type AccessListEntry = { readonly address: bigint; readonly storageKeys: readonly bigint[] }

export function accessListToRlp(list: AccessList): RlpInput {
  return list.map(({ address, storageKeys }) => [
    bigintToBytes(address, 20),
    storageKeys.map((key) => bigintToBytes(key, 32)),
  ])
}

export function accessListField(item: RlpItem | undefined): AccessList {
  return listField(item, 'accessList').map((each) => {
    const entry = listField(each, 'access list entry')
    expectFields(entry, 2, 'access list entry')
    return {
      address: addressField(entry[0], 'access list address'),
      storageKeys: listField(entry[1], 'access list keys').map((key) => wordField(key, 'access list key')),
    }
  })
}
