// An event that a contract emitted.
import { bigintToBytes } from '../bytes/hex.ts'
import type { RlpInput, RlpItem } from '../bytes/rlp.ts'
import { addressField, bytesField, expectFields, listField, wordField } from '../bytes/rlp-fields.ts'

export type Log = { readonly address: bigint; readonly topics: readonly bigint[]; readonly data: Uint8Array }

export function logToRlp({ address, topics, data }: Log): RlpInput {
  return [bigintToBytes(address, 20), topics.map((topic) => bigintToBytes(topic, 32)), data]
}

export function logField(item: RlpItem): Log {
  const fields = listField(item, 'log')
  expectFields(fields, 3, 'log')
  return {
    address: addressField(fields[0], 'log address'),
    topics: listField(fields[1], 'log topics').map((topic) => wordField(topic, 'log topic')),
    data: bytesField(fields[2], 'log data'),
  }
}
