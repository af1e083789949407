// Where a token's balances come from, as answers say it: sums of events, or the contract itself, and at which block that was found.
import type { Token } from '../../store/read/tokens.ts'
import { isReadFromContract } from '../../store/schema/token-checks.ts'

/** Of a token as a whole: its supply, the number and the list of its holders. */
export function tokenBalanceSource({ check: { source, height } }: Pick<Token, 'check'>) {
  if (source === 'unconfirmed' || source === 'reading') return UNCONFIRMED
  return { balanceSource: source, balanceHeight: String(height) }
}

/** Of one holder's balance. */
export function holderBalanceSource({ check }: Pick<Token, 'check'>, readHeight: number | null) {
  if (!isReadFromContract(check.source)) return tokenBalanceSource({ check })
  const isRead = readHeight !== null && readHeight >= Math.max(0, check.readSince)
  return isRead ? { balanceSource: 'contract' as const, balanceHeight: String(readHeight) } : UNCONFIRMED
}

const UNCONFIRMED = { balanceSource: 'unconfirmed', balanceHeight: '' } as const
