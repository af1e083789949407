// What is known about a token's balances: whether the sums of its events agree with its contract, and how far reading from the contract is.
// It depends on when the contract was asked, so two indexes of one chain may differ here.
import type { Hex } from '../../chain/bytes/hex.ts'
import { address, amount, createTable, integer, nullable, oneOf } from './table.ts'

/**
 * `events`: the sums of events agreed with the contract at `height`. `contract` and `contract-partial`: balances are read from the
 * contract; partial where those of the known holders do not add up to the supply. `reading`: as these, not yet complete.
 */
export const CHECK_STATES = ['unconfirmed', 'events', 'reading', 'contract', 'contract-partial'] as const
export type CheckState = (typeof CHECK_STATES)[number]

/** The states of a token whose balances are read from its contract, as they are stored. */
export const READ_STATES = CHECK_STATES.flatMap((state, stored) =>
  state === 'unconfirmed' || state === 'events' ? [] : [stored],
)

export function isReadFromContract(state: CheckState): boolean {
  return READ_STATES.includes(CHECK_STATES.indexOf(state))
}

export type TokenCheckRow = {
  readonly token: Hex
  readonly source: CheckState
  /** Block at which the contract was last asked; -1 before the first time. */
  readonly height: number
  /** As the contract answered at that block; null where it did not. */
  readonly supply: bigint | null
  readonly checkedMs: number
  /** When the contract is asked next. */
  readonly dueMs: number
  /** The last block in which the contract was called or logged something. */
  readonly activeHeight: number
  /** Events and calls below this position are still to be searched for holders; 0 once all are. */
  readonly walkedPos: number
  /** Balances that were read below this height are out of date. */
  readonly readSince: number
}

export const tokenChecks = createTable<TokenCheckRow>('token_checks', {
  token: address,
  source: oneOf(CHECK_STATES),
  height: integer,
  supply: nullable(amount),
  checkedMs: integer,
  dueMs: integer,
  activeHeight: integer,
  walkedPos: integer,
  readSince: integer,
})

/** The `read_height` of a balance that must be read from the contract. */
export const NOT_READ = -1
