// Opens the outermost call or creation of a transaction. The caller is responsible for fees, limits and checks of the sender.

import { EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import type { AccessList } from '../../chain/codec/access-list.ts'
import { type Authorization, authorityOf } from '../../chain/codec/authorization.ts'
import { createAddress } from '../../chain/rules/create-address.ts'
import { openCall, openCreate } from '../core/calling.ts'
import type { ExecutionFrame, Machine } from '../core/execution-frame.ts'
import { MAX_NONCE } from '../core/gas.ts'
import type { AccountRecord } from '../state/account-record.ts'
import { type Code, EMPTY_CODE, toCode } from '../state/code.ts'
import { delegateOf, delegationTo } from '../state/delegation.ts'
import { AUTHORIZATION_GAS } from './intrinsic-gas.ts'

export type TransactionMessage = {
  readonly from: bigint
  readonly to: bigint | null
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizations: readonly Authorization[]
}

/** `gas` does not include the intrinsic gas. The frame is valid until the next run. */
export function openMessage(machine: Machine, message: TransactionMessage, gas: number): ExecutionFrame {
  warmUp(machine, message)
  return message.to === null ? create(machine, message, gas) : call(machine, message, message.to, gas)
}

function warmUp({ world, block, rules }: Machine, { from, to, accessList }: TransactionMessage): void {
  world.warm(world.record(from))
  if (to !== null) world.warm(world.record(to))
  if (rules.shanghai) world.warm(world.record(block.coinbase))
  for (const { address, storageKeys } of accessList) {
    const record = world.record(address)
    world.warm(record)
    for (const key of storageKeys) world.warm(world.slot(record, key))
  }
}

function create(machine: Machine, message: TransactionMessage, gas: number): ExecutionFrame {
  const address = createAddress(message.from, machine.world.record(message.from).nonce)
  return openCreate(machine, null, {
    kind: 'CREATE',
    caller: message.from,
    self: machine.world.record(address),
    codeAddress: address,
    value: message.value,
    input: EMPTY_BYTES,
    gas,
    isStatic: false,
    code: toCode(message.data),
  })
}

function call(machine: Machine, message: TransactionMessage, to: bigint, gas: number): ExecutionFrame {
  const { world } = machine
  const sender = world.record(message.from)
  world.setNonce(sender, sender.nonce + 1n)
  applyAuthorizations(machine, message.authorizations)
  const self = world.record(to)
  return openCall(machine, null, {
    kind: 'CALL',
    caller: message.from,
    self,
    codeAddress: to,
    value: message.value,
    input: message.data,
    gas,
    isStatic: false,
    code: codeToRun(machine, self),
  })
}

function codeToRun({ world, rules, precompiles }: Machine, record: AccountRecord): Code {
  const code = world.codeOf(record)
  const delegate = rules.prague ? delegateOf(code) : null
  if (delegate === null) return code
  const target = world.record(delegate)
  world.warm(target)
  return precompiles.has(delegate) ? EMPTY_CODE : world.codeOf(target)
}

/** EIP-7702: applies the delegations of a transaction. An invalid one is skipped; the transaction continues. */
function applyAuthorizations(machine: Machine, authorizations: readonly Authorization[]): void {
  for (const authorization of authorizations) applyAuthorization(machine, authorization)
}

/** If the account already exists, part of the gas that was charged upfront is refunded. */
const KNOWN_ACCOUNT_REFUND = AUTHORIZATION_GAS - 12500

function applyAuthorization({ world, block }: Machine, authorization: Authorization): void {
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
