// EIP-7702: puts the delegations a transaction carries in place. One that does not hold is passed over; the transaction goes on.

import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { type Authorization, authorityOf } from '../../chain/codec/authorization.ts'
import type { Machine } from '../core/execution-frame.ts'
import { MAX_NONCE } from '../core/gas.ts'
import { EMPTY_CODE } from '../state/code.ts'
import { delegateOf, delegationTo } from '../state/delegation.ts'
import { AUTHORIZATION_GAS } from './intrinsic-gas.ts'

export function applyAuthorizations(machine: Machine, authorizations: readonly Authorization[]): void {
  for (const authorization of authorizations) apply(machine, authorization)
}

/** Part of what every authorization paid upfront goes back where the account was there already. */
const KNOWN_ACCOUNT_REFUND = AUTHORIZATION_GAS - 12500

function apply({ world, block }: Machine, authorization: Authorization): void {
  const { chainId, address, nonce } = authorization
  if ((chainId !== 0n && chainId !== block.chainId) || nonce >= MAX_NONCE) return
  const authority = authorityOf(authorization)
  if (authority === null) return
  const record = world.record(authority)
  world.warm(record)
  const code = world.codeOf(record)
  if ((code !== EMPTY_CODE && delegateOf(code) === null) || record.nonce !== nonce) return
  if (record.exists) world.addRefund(KNOWN_ACCOUNT_REFUND)
  world.setCode(record, address === 0n ? EMPTY_BYTES : delegationTo(address))
  world.setNonce(record, nonce + 1n)
}
