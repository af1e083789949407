// The vocabulary of response fields. On the wire every scalar is a string, every `is*` a boolean, and what is missing is
// the empty string (docs/spec-gaps.md#12); the descriptions feed docs/openapi.json.
import { z } from 'zod'

function field(description: string) {
  return z.string().meta({ description })
}

export const words = field
export function quantity(description: string) {
  return field(`${description} (decimal integer)`)
}
export function units(description: string) {
  return field(`${description} (exact decimal, whole units)`)
}
export function usd(description: string) {
  return field(`${description} (USD; empty without a price source)`)
}
export function timeMs(description: string) {
  return field(`${description} (Unix ms)`)
}
export function hexHash(description: string) {
  return field(`${description} (lower-case hex)`)
}
export function flag(description: string) {
  return z.boolean().meta({ description })
}

export const transactionTime = timeMs('Time of the block; of the broadcast while pending')
export const state = field('`success`, `fail` or `pending`')
export const stage = field('`seen`, `preconfirmed`, `included`, `safe`, `finalized` or `dropped`')
export const methodId = field('First four bytes of the call data; empty for none')
export const transactionType = field('EIP-2718 type as a decimal: 0, 1, 2, 3, 4; 126 is an OP deposit')

export const chainNames = {
  chainFullName: words('Name of the chain'),
  chainShortName: words('Abbreviation of the chain'),
}

/** The fields of every paged element. */
export const pagingFields = {
  page: quantity('Current page'),
  limit: quantity('Page size asked for'),
  totalPage: quantity('Total pages, exact'),
  nextCursor: words('Cursor for `after`; empty on the last page'),
}

/** `data` of a paged endpoint: one element with the paging fields and its list, under each of its spellings. */
export function pageOf<T extends z.ZodRawShape>(lists: T) {
  return z.tuple([z.object({ ...pagingFields, ...lists })]).meta({ description: 'One element' })
}

/** `data` of a paged endpoint whose element also names the chain. */
export function chainPageOf<T extends z.ZodRawShape>(lists: T) {
  return pageOf({ ...chainNames, ...lists })
}

/** Beside internal transactions. */
export const internalTransactionsComplete = flag(
  'All are known; false where the node gave no trace, or one that could not be read whole',
)

export const operation = words(
  '`call`, `staticcall`, `delegatecall`, `callcode`, `create`, `create2` or `selfdestruct`',
)
export const protocolType = words('`token_20`, `token_721` or `token_1155`')

/** What says whether balances and supply are right, and at which block that was found (docs/spec-gaps.md#30b). */
export const balanceSource = {
  balanceSource: words(
    '`events`: sums of events, which agreed with the contract when it was last asked; `contract`: read from the contract; ' +
      '`contract-partial`: read from the contract, and the known holders do not add up to the supply; ' +
      '`unconfirmed`: sums of events that the contract has not confirmed',
  ),
  balanceHeight: quantity('Block at which the contract was asked; empty if it has not answered'),
}

export const isContractExact = flag(
  'Only there where it is false: calls of other transactions are not known, and an address that is taken for an account may have been a ' +
    'contract that was created and destroyed in them',
).optional()

export const sides = {
  from: hexHash('Sender'),
  to: hexHash('Recipient; empty for a contract creation'),
  isFromContract: flag('The sender is a contract'),
  isToContract: flag('The recipient is a contract'),
  isContractExact,
}

/** Of lists that show pending transactions (docs/spec-gaps.md#21). */
export const pendingComplete = flag(
  'All pending ones are listed; false while the node does not show its pool, and for internal transactions while blocks are preconfirmed. ' +
    'Token transfers are known once their transaction is preconfirmed',
)
