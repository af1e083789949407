import { describe, expect, test } from 'vitest'
import { changesFrom } from './state-changes.ts'

function word(value: number) {
  return `0x${value.toString(16).padStart(64, '0')}`
}
function account(digit: string) {
  return `0x${digit.repeat(40)}`
}
function accountsOf(diff: Parameters<typeof changesFrom>[0]) {
  const changes = changesFrom(diff)
  if (changes.type !== 'changes') throw new Error(changes.reason)
  return changes
}

describe('the changes of a transaction', () => {
  test('a balance change has both values and the difference', () => {
    const { accounts } = accountsOf({
      pre: { [account('a')]: { balance: '0xde0b6b3a7640000', nonce: 4 }, [account('b')]: { balance: '0x0' } },
      post: { [account('a')]: { balance: '0x6f05b59d3b20000', nonce: 5 }, [account('b')]: { balance: '0x1' } },
    })
    expect(accounts).toEqual([
      expect.objectContaining({
        address: account('a'),
        balance: { before: '1', after: '0.5', isMore: false, difference: '0.5' },
        nonce: { before: '4', after: '5' },
      }),
      expect.objectContaining({
        balance: { before: '0', after: '0.000000000000000001', isMore: true, difference: '0.000000000000000001' },
      }),
    ])
  })

  test('fields that the node left out and unchanged accounts are no changes', () => {
    const { accounts } = accountsOf({
      pre: { [account('a')]: { balance: '0x5', nonce: 1 }, [account('b')]: { balance: '0x5', nonce: 1 } },
      post: { [account('a')]: { nonce: 2 }, [account('b')]: {} },
    })
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({ balance: undefined, nonce: { before: '1', after: '2' }, code: undefined })
  })

  test('a storage slot on one side only was or is zero', () => {
    const { accounts } = accountsOf({
      pre: { [account('c')]: { balance: '0x0', storage: { [word(2)]: word(7), [word(1)]: word(9) } } },
      post: { [account('c')]: { storage: { [word(3)]: word(8), [word(1)]: word(9) } } },
    })
    expect(accounts[0]!.storage).toEqual([
      { slot: word(2), before: word(7), after: word(0) },
      { slot: word(3), before: word(0), after: word(8) },
    ])
  })

  test('created and destroyed contracts are marked', () => {
    const { accounts } = accountsOf({
      pre: { [account('d')]: { balance: '0x5', nonce: 1, code: '0x6000' } },
      post: { [account('e')]: { nonce: 1, code: '0x600160' } },
    })
    expect(accounts).toMatchObject([
      { address: account('d'), isGone: true, code: { before: '2', after: '0' }, balance: { after: '0' } },
      { address: account('e'), isGone: false, code: { before: '0', after: '3' } },
    ])
  })

  test('the changes of a transaction changes beyond the limit are cut and marked as truncated', () => {
    const storage = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [word(i), word(1)]))
    const changes = accountsOf({ pre: {}, post: { [account('f')]: { storage } } })
    expect(changes.accounts[0]!.storage).toHaveLength(200)
    expect(changes.isTruncated).toBe(true)
  })
})
