import { HDNodeWallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { developers, type KeyedAccount, simulatedUsers, TEST_MNEMONIC } from './accounts.ts'

describe('the account tables', () => {
  test('the account tables has ten developers of the test mnemonic', () => {
    expect(developers).toEqual(derived(0, 10))
  })

  test('the account tables has residents on a path of their own', () => {
    expect(simulatedUsers).toEqual(derived(1, simulatedUsers.length))
  })
})

function derived(hdAccount: number, count: number): KeyedAccount[] {
  const parent = HDNodeWallet.fromPhrase(TEST_MNEMONIC, '', `m/44'/60'/${hdAccount}'/0`)
  return Array.from({ length: count }, (_, index) => {
    const { address, privateKey } = parent.deriveChild(index)
    return { address: address.toLowerCase(), key: privateKey } as KeyedAccount
  })
}
