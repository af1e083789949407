// A state as a caller would have it: what the overrides say, and the state below for the rest.
import type { Rules } from '../chain/forks.ts'
import { codeHashOf, EMPTY_CODE_HASH } from './code.ts'
import { type Precompile, precompilesFor } from './precompiles/table.ts'
import type { Account, StateSource } from './state-source.ts'

export type StateOverrides = ReadonlyMap<bigint, AccountOverride>

export type AccountOverride = {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
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

export function overriddenPrecompiles(rules: Rules, overrides: StateOverrides): ReadonlyMap<bigint, Precompile> {
  const standard = precompilesFor(rules)
  const moves = [...overrides].filter(([, { movePrecompileTo }]) => movePrecompileTo !== undefined)
  if (moves.length === 0) return standard
  const moved = new Map(standard)
  for (const [from] of moves) moved.delete(from)
  for (const [from, { movePrecompileTo }] of moves) {
    const precompile = standard.get(from)
    if (precompile !== undefined) moved.set(movePrecompileTo!, precompile)
  }
  return moved
}

function overriddenAccount(
  account: Account | null | undefined,
  override: AccountOverride | undefined,
): Account | null | undefined {
  if (override === undefined || account === undefined) return account
  return {
    nonce: override.nonce ?? account?.nonce ?? 0n,
    balance: override.balance ?? account?.balance ?? 0n,
    codeHash: override.code === undefined ? (account?.codeHash ?? EMPTY_CODE_HASH) : codeHashOf(override.code),
  }
}
