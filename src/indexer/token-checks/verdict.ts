// What follows from a contract's answers: whether the sums of events hold, and what is written where balances are read from the contract.
import type { Hex } from '../../chain/bytes/hex.ts'
import type { HolderReading, TokenReading } from '../../store/chain/token-readings.ts'
import type { Walked } from '../../store/read/token-checks.ts'
import { isReadFromContract, type TokenCheckRow } from '../../store/schema/token-checks.ts'
import type { AskedToken, HolderAnswer, TokenAnswer } from './questions.ts'

export type CheckedToken = AskedToken & {
  readonly check: TokenCheckRow
  /** The sum of all stored balances; null where it is not known. */
  readonly total: bigint | null
  /** Where balances are read: who else may be a holder. */
  readonly walked: Walked | undefined
}

/** How long until the contract is asked again. */
const AGAIN_MS = {
  /** The sums agreed, and the contract was not used since. */
  agreed: 60 * 60_000,
  /** Balances that change without events may change at any time. */
  read: 60_000,
  /** The contract says nothing. */
  refused: 60 * 60_000,
  /** The contract was used after the block at which it was asked. */
  active: 5_000,
}

const WALK_FROM = Number.MAX_SAFE_INTEGER

/** `height` is the block at which the contract was asked. */
export function readingOf(
  token: CheckedToken,
  answer: TokenAnswer,
  { height, nowMs }: { readonly height: number; readonly nowMs: number },
): TokenReading {
  const { check } = token
  const common = {
    before: check,
    supply: answer.supply,
    burnt: answer.burnt,
    names: answer.names,
    checkedMs: nowMs,
    walkedPos: check.walkedPos,
    readSince: check.readSince,
    holders: [],
    found: [],
  }
  const again = (complete: number) => ({ reading: 0, complete, active: Math.min(complete, AGAIN_MS.active) })
  const isSilent = answer.holders.length > 0 && answer.holders.every(({ balance }) => balance === 'refused')
  if (isReadFromContract(check.source)) {
    if (isSilent) {
      const againMs = { ...again(AGAIN_MS.refused), reading: AGAIN_MS.refused }
      return { ...common, source: 'reading', againMs }
    }
    return { ...common, ...readFrom(token, answer, height), source: 'reading', againMs: again(AGAIN_MS.read) }
  }
  if (isSilent) return { ...common, source: 'unconfirmed', againMs: again(AGAIN_MS.refused) }
  if (sumsHold(token, answer)) return { ...common, source: 'events', againMs: again(AGAIN_MS.agreed) }
  return { ...common, source: 'reading', walkedPos: WALK_FROM, readSince: 0, againMs: again(AGAIN_MS.read) }
}

/** An ERC-1155 has no supply over all its ids. */
export function sumsHold(
  { kind, total }: Pick<CheckedToken, 'kind' | 'total'>,
  { supply, burnt, holders }: TokenAnswer,
): boolean {
  if (kind !== 1155 && supply !== null && total !== null && supply !== total + burnt) return false
  return holders.every(
    ({ holder, balance, items }) =>
      (balance === 'refused' || kind === 1155 || balance === holder.balance) &&
      items.every(({ item, balance }) => balance === item.balance),
  )
}

function readFrom({ check, walked }: CheckedToken, { holders }: TokenAnswer, height: number) {
  // A balance that nothing seemed to touch, and yet it differs: then every other balance may have changed too.
  const hasChangedSilently = holders.some(
    ({ holder, balance }) =>
      (holder.readHeight ?? -1) >= Math.max(0, check.readSince) && balance !== 'refused' && balance !== holder.balance,
  )
  const owners = holders.flatMap(({ items }) =>
    items.flatMap(({ item, owner }) => (owner && owner !== item.address ? [owner] : [])),
  )
  return {
    walkedPos: walked?.walkedPos ?? 0,
    readSince: hasChangedSilently ? height : check.readSince,
    holders: holders.map(holderReading),
    found: [...new Set<Hex>([...(walked?.addresses ?? []), ...owners])],
  }
}

/** A contract that answers for other holders and refuses this one says that this one has nothing. */
function holderReading({ holder, balance, items }: HolderAnswer): HolderReading {
  return {
    before: holder,
    balance: balance === 'refused' ? 0n : balance,
    items: items
      .filter(({ item, balance }) => balance !== item.balance)
      .flatMap(({ item: { address, tokenId }, balance, owner }) => [
        { address, tokenId, balance },
        ...(owner === undefined || owner === address ? [] : [{ address: owner, tokenId, balance: 1n }]),
      ]),
  }
}
