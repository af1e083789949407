import { parseTransaction, recoverTransactionAddress } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { simulatedUsers } from '../genesis/accounts.ts'
import type { Transaction } from './model/transact.ts'
import { signAction } from './sign-action.ts'

const [sender, receiver] = simulatedUsers as [(typeof simulatedUsers)[number], (typeof simulatedUsers)[number]]
const terms = { chainId: 1961n, baseFeeWei: 1_000n }

const action: Transaction = {
  type: 'transaction',
  label: 'send',
  from: sender,
  nonce: 3,
  kind: 2,
  to: receiver.address,
  value: 5n,
  data: '0x1234',
  gas: 50_000,
  tipWei: 7n,
  delegateTo: null,
  outcome: 'success',
}

describe('a signed action', () => {
  test.each([0, 1, 2, 4] as const)('a signed action of type %i is what viem reads', async (kind) => {
    const { raw } = signAction({ ...action, kind, delegateTo: kind === 4 ? receiver.address : null }, terms)
    const read = parseTransaction(raw)
    expect(read).toMatchObject({
      chainId: 1961,
      nonce: 3,
      to: receiver.address,
      value: 5n,
      data: '0x1234',
      gas: 50_000n,
    })
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    expect(from.toLowerCase()).toBe(sender.address)
  })

  test('a signed action offers twice the base fee and the tip', () => {
    expect(parseTransaction(signAction(action, terms).raw)).toMatchObject({
      maxFeePerGas: 2_007n,
      maxPriorityFeePerGas: 7n,
    })
    expect(parseTransaction(signAction({ ...action, kind: 0 }, terms).raw)).toMatchObject({ gasPrice: 2_007n })
  })

  test('a signed action authorizes its sender with the nonce after its own', async () => {
    const { raw } = signAction({ ...action, kind: 4, delegateTo: receiver.address }, terms)
    const [authorization] = parseTransaction(raw).authorizationList!
    expect(authorization).toMatchObject({ address: receiver.address, nonce: 4, chainId: 1961 })
    const authority = await recoverAuthorizationAddress({ authorization: authorization! })
    expect(authority.toLowerCase()).toBe(sender.address)
  })

  test('a signed action creates a contract without a recipient', () => {
    expect(parseTransaction(signAction({ ...action, to: null }, terms).raw).to).toBeUndefined()
  })
})
