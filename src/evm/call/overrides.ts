// State overrides of a call: a state source that returns the overrides, and for everything else the state below.

import { addressToHex } from '../../chain/bytes/hex.ts'
import type { Rules } from '../../chain/rules/forks.ts'
import { type Precompile, precompilesFor } from '../precompiles/table.ts'
import { type Code, codeHashOf, EMPTY_CODE_HASH } from '../state/code.ts'
import type { Account, StateSource } from '../state/state-source.ts'
import { serverError } from './call-failures.ts'

export type StateOverrides = ReadonlyMap<bigint, AccountOverride>

export type AccountOverride = {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Code
  /** The whole storage: every other slot is zero. */
  readonly state?: ReadonlyMap<bigint, bigint>
  /** Some slots; the others stay. */
  readonly stateDiff?: ReadonlyMap<bigint, bigint>
  readonly movePrecompileTo?: bigint
}

export function overriddenState(source: StateSource, overrides: StateOverrides): StateSource {
  return {
    account: (address) => overriddenAccount(source.account(address), overrides.get(address)),
    storage(address, slot) {
      const override = overrides.get(address)
      const value = override?.stateDiff?.get(slot) ?? override?.state?.get(slot)
      return value ?? (override?.state === undefined ? source.storage(address, slot) : 0n)
    },
    code: (address, codeHash) => overrides.get(address)?.code ?? source.code(address, codeHash),
    blockHash: (number) => source.blockHash(number),
  }
}

/** Throws if an override moves an address that is not a precompile. */
export function overriddenPrecompiles(rules: Rules, overrides: StateOverrides): ReadonlyMap<bigint, Precompile> {
  const standard = precompilesFor(rules)
  const moves = [...overrides].filter(([, { movePrecompileTo }]) => movePrecompileTo !== undefined)
  if (moves.length === 0) return standard
  const moved = new Map(standard)
  for (const [from] of moves) {
    if (!moved.delete(from)) throw serverError(`account ${addressToHex(from)} is not a precompile`)
  }
  for (const [from, { movePrecompileTo }] of moves) moved.set(movePrecompileTo!, standard.get(from)!)
  return moved
}

function overriddenAccount(
  account: Account | null | undefined,
  override: AccountOverride | undefined,
): Account | null | undefined {
  if (override === undefined || account === undefined) return account
  const { movePrecompileTo: _, ...changed } = override
  if (Object.keys(changed).length === 0) return account
  const { nonce, balance, code } = changed
  return {
    nonce: nonce ?? account?.nonce ?? 0n,
    balance: balance ?? account?.balance ?? 0n,
    codeHash: code === undefined ? (account?.codeHash ?? EMPTY_CODE_HASH) : codeHashOf(code.bytes),
  }
}
